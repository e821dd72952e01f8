package facade

import "context"

// DocumentAction is an action of the document tool.
type DocumentAction string

// The actions of the document tool.
const (
	DocumentRead      DocumentAction = "read"
	DocumentIndex     DocumentAction = "index"
	DocumentSearch    DocumentAction = "search"
	DocumentReadImage DocumentAction = "read_image"
)

// DocumentReader is the part of the document tool that every implementation
// has. Paths mean the same as in the filesystem tool.
type DocumentReader interface {
	// Read parses a document into blocks with their places, or a rendering of
	// them. A format without a parser is a [CodeUnsupportedFormat] error.
	Read(ctx context.Context, in DocumentReadInput) (DocumentReadOutput, error)
}

// DocumentIndexer is the part that finds documents by content.
type DocumentIndexer interface {
	// Index adds documents to the storage backends. Content that is in one
	// already is skipped. Each backend has its own result: one that fails does
	// not fail the others.
	Index(ctx context.Context, in DocumentIndexInput) (DocumentIndexOutput, error)
	// Search returns the best matches among the indexed documents.
	Search(ctx context.Context, in DocumentSearchInput) (DocumentSearchOutput, error)
}

// DocumentImageReader is the part that reads images.
type DocumentImageReader interface {
	// ReadImage recognizes text in an image and, with a model, describes it. A
	// missing engine is a [CodeUnavailable] error, never an empty text.
	ReadImage(ctx context.Context, in DocumentReadImageInput) (DocumentReadImageOutput, error)
}

// DocumentTools is the contract of the document tool.
type DocumentTools interface {
	DocumentReader
	DocumentIndexer
	DocumentImageReader
}

// DocumentRemote is implemented by document tools that may send content to
// another machine, as to a model behind a network API.
type DocumentRemote interface {
	// Remote reports whether calls of the action may. Their declared effect
	// then has [EffectNetwork]; a call whose arguments ask for nothing remote
	// is without it again, see [Effector].
	Remote(action DocumentAction) bool
}

// Document builds the document tool. Its enum has exactly the actions that impl
// has methods for.
func Document(impl DocumentReader) *Tool {
	effect := func(a DocumentAction, e Effect) Effect {
		if x, ok := impl.(DocumentRemote); ok && x.Remote(a) {
			e |= EffectNetwork
		}
		return e
	}
	actions := []Action{
		Bind(DocumentRead, effect(DocumentRead, EffectRead|Idempotent), "Read a document (office, PDF, HTML, mail, …), or fields of it.", impl.Read),
	}
	if x, ok := impl.(DocumentIndexer); ok {
		actions = append(actions,
			Bind(DocumentIndex, effect(DocumentIndex, EffectWrite|Idempotent), "Index documents for search.", x.Index),
			Bind(DocumentSearch, effect(DocumentSearch, EffectRead|Idempotent), "Search the index.", x.Search))
	}
	if x, ok := impl.(DocumentImageReader); ok {
		actions = append(actions,
			Bind(DocumentReadImage, effect(DocumentReadImage, EffectRead|Idempotent), "Read an image: its text, or what it shows.", x.ReadImage))
	}
	return New("document", "Read and search documents and images below one root.", actions...)
}
