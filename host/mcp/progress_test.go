package mcphost_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// report is a progress notification.
type report struct {
	Token           any
	Progress, Total float64
	Message         string
}

// reports calls the tool with a progress token and returns the notifications
// up to the one that says all is done.
func reports(t *testing.T, args string, done float64) []report {
	t.Helper()
	got := make(chan report, 2000)
	client := &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			p := req.Params
			got <- report{p.ProgressToken, p.Progress, p.Total, p.Message}
		},
	}
	cs := dial(t, labServer(t, newLab(), nil), client, "")
	call(t, cs, args) // no token, no progress
	params := &mcp.CallToolParams{Name: "lab", Arguments: raw(args)}
	params.SetProgressToken("tok")
	if _, err := cs.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	var all []report
	for len(all) == 0 || all[len(all)-1].Progress < done {
		select {
		case r := <-got:
			all = append(all, r)
		case <-time.After(10 * time.Second):
			t.Fatalf("no progress after %+v", all)
		}
	}
	call(t, cs, `{"action":"echo","text":"a"}`)
	if len(got) > 0 {
		t.Errorf("one more report: %+v", <-got)
	}
	return all
}

// The protocol wants values that increase; the first and the last are sent.
func TestProgress(t *testing.T) {
	want := []report{{"tok", 1, 10, "step"}, {"tok", 10, 10, "step"}}
	if diff := cmp.Diff(want, reports(t, `{"action":"steps"}`, 10)); diff != "" {
		t.Error("reports (-want +got)", diff)
	}
}

func TestProgressRate(t *testing.T) {
	start := time.Now()
	all := reports(t, `{"action":"steps","count":100000}`, 100000)
	if most := 3 + int(time.Since(start)/(100*time.Millisecond)); len(all) > most {
		t.Errorf("%d reports, want at most %d", len(all), most)
	}
}
