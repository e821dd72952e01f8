package genkithost_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/googlegenai"
	"go.uber.org/goleak"

	"github.com/toolfacade/toolfacade/facade"
	genkithost "github.com/toolfacade/toolfacade/host/genkit"
	"github.com/toolfacade/toolfacade/internal/hosttest"
	"github.com/toolfacade/toolfacade/schema"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start")) // of a dependency, started on import
}

// generate runs Genkit's loop with its own Gemini plugin, which takes the
// server's address from the environment only.
func generate(t *testing.T) func(context.Context, string, *facade.Set) (string, error) {
	return func(ctx context.Context, url string, set *facade.Set) (string, error) {
		t.Setenv("GOOGLE_GEMINI_BASE_URL", url)
		defer http.DefaultTransport.(*http.Transport).CloseIdleConnections() // the plugin uses the default transport
		g := genkit.Init(ctx, genkit.WithPlugins(&googlegenai.GoogleAI{APIKey: "none"}))
		tools, err := genkithost.Register(g, set)
		if err != nil {
			return "", err
		}
		response, err := genkit.Generate(ctx, g, ai.WithModelName("googleai/gemini-2.5-flash"), ai.WithPrompt("go"), ai.WithTools(tools...))
		if err != nil {
			return "", err
		}
		return response.Text(), nil
	}
}

func TestGenerate(t *testing.T) {
	hosttest.Run(t, hosttest.Host{
		Via: "generate", Profile: schema.GeminiOpenAPI, Play: hosttest.Served(hosttest.Gemini{}, generate(t)),
		Marks: true, Images: true,
	})
}
