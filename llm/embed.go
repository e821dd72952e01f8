package llm

import (
	"context"
	"errors"

	"github.com/openai/openai-go/v3"

	"github.com/toolfacade/toolfacade/docs"
)

var _ docs.Embedder = (*Embedder)(nil)

// Embedder makes vectors of texts. It is safe for concurrent use.
type Embedder struct {
	client *Client
	model  string
}

// NewEmbedder returns an embedder with a model of the client's server, as
// "text-embedding-3-small".
func NewEmbedder(c *Client, model string) (*Embedder, error) {
	if c == nil || model == "" {
		return nil, errors.New("llm: the embedder needs a client and a model")
	}
	return &Embedder{c, model}, nil
}

// Name implements [docs.Embedder].
func (e *Embedder) Name() string { return e.model }

// Embed implements [docs.Embedder].
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, e.client.opts.Timeout)
	defer cancel()
	answer, err := e.client.embeddings.New(limited, openai.EmbeddingNewParams{
		Model: e.model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}, EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
	})
	if err != nil {
		return nil, e.client.failure(ctx, err)
	}
	vectors := make([][]float32, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= int64(len(texts)) {
			return nil, e.client.unusable("it has vectors of other texts")
		}
		v := make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			v[i] = float32(x)
		}
		vectors[d.Index] = v
	}
	for _, v := range vectors {
		if len(v) == 0 {
			return nil, e.client.unusable("a vector is missing")
		}
	}
	return vectors, nil
}
