package facade_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// shownOutput is an output with what it shows.
type shownOutput struct {
	what string
	out  facade.Presenter
}

// goldenTexts compares the texts that models see.
func goldenTexts(t *testing.T, name string, outputs []shownOutput) {
	t.Helper()
	var b strings.Builder
	for _, o := range outputs {
		r := &facade.Result{Data: o.out}
		o.out.Present(r)
		fmt.Fprintf(&b, "== %s\n%s\n", o.what, r.Text)
		if r.Truncated {
			b.WriteString("(truncated)\n")
		}
		for _, p := range r.Parts {
			fmt.Fprintf(&b, "(part %s, %d bytes)\n", p.MIME, len(p.Data))
		}
		b.WriteString("\n")
		noDoubledNames(t, r.JSON())
		if first, _, _ := strings.Cut(r.Text, "\n"); strings.TrimSpace(first) == "" {
			t.Errorf("%s: the first line says nothing", o.what)
		}
	}
	golden(t, name, b.String())
}

func ptr[T any](v T) *T { return &v }

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("", 3600))

func TestTaskTexts(t *testing.T) {
	plot := facade.PythonRunOutput{
		TaskID: "t2", State: facade.TaskSucceeded, ExitCode: ptr(0), Stdout: "saved\n", DurationMS: 1240,
		Artifacts: []facade.Artifact{{Path: "plot.png", MIME: "image/png", Size: 2048}}, Isolation: "bubblewrap",
	}
	plot.AddPart(facade.Part{MIME: "image/png", Data: []byte("png")})
	goldenTexts(t, "texts_tasks.txt", []shownOutput{
		{"run", facade.PythonRunOutput{TaskID: "t1", State: facade.TaskSucceeded, ExitCode: ptr(0), Stdout: "42\n", DurationMS: 132}},
		{"run without output", facade.PythonRunOutput{TaskID: "t1", State: facade.TaskSucceeded, ExitCode: ptr(0), DurationMS: 9}},
		{"run with an artifact", plot},
		{"run that failed", facade.PythonRunOutput{
			TaskID: "t3", State: facade.TaskFailed, ExitCode: ptr(1), DurationMS: 61_400,
			Stdout: "step 1\n", Stderr: "Traceback (most recent call last):\nValueError: no\n",
		}},
		{"run killed by a signal", facade.PythonRunOutput{TaskID: "t3", State: facade.TaskFailed, Signal: "SIGSEGV", DurationMS: 3}},
		{"run that timed out", facade.PythonRunOutput{
			TaskID: "t4", State: facade.TaskTimedOut, Signal: "SIGKILL", TimedOut: true, DurationMS: 300_000, Stdout: "tick\n",
			Leaked: []facade.LeakedProcess{{PID: 77, Command: "sleep 100"}},
		}},
		{"run that goes on", facade.PythonRunOutput{TaskID: "t5", State: facade.TaskRunning, DurationMS: 10_000, Stdout: "epoch 1\n"}},
		{"run of much output", facade.PythonRunOutput{
			TaskID: "t6", State: facade.TaskSucceeded, ExitCode: ptr(0), DurationMS: 132, Stdout: "a\n…\nz\n", TotalBytes: 1_000_000, Truncated: true,
		}},
		{"run that could not start", facade.PythonRunOutput{TaskID: "t7", State: facade.TaskStartFailed, Reason: "python3 is not installed"}},
		{"run_background", facade.PythonRunBackgroundOutput{TaskID: "t8", State: facade.TaskRunning, PID: 4711}},
		{"run_background that could not start", facade.PythonRunBackgroundOutput{TaskID: "t8", State: facade.TaskStartFailed, Reason: "no such file"}},
		{"task_status, running", facade.PythonTaskStatusOutput{TaskID: "t8", State: facade.TaskRunning, Started: &noon, DurationMS: 65_000, Output: "line 1\nline 2\n", NextOffset: 14}},
		{"task_status, ended", facade.PythonTaskStatusOutput{TaskID: "t8", State: facade.TaskFailed, ExitCode: ptr(2), Started: &noon, Ended: &noon, DurationMS: 65_000, Output: "bye\n", NextOffset: 18}},
		{"task_status, queued", facade.PythonTaskStatusOutput{TaskID: "t9", State: facade.TaskQueued}},
		{"task_output, more to come", facade.PythonTaskOutputOutput{TaskID: "t8", State: facade.TaskRunning, Content: "line 3\n", Offset: 14, NextOffset: 21}},
		{"task_output, nothing new", facade.PythonTaskOutputOutput{TaskID: "t8", State: facade.TaskRunning, Offset: 21, NextOffset: 21}},
		{"task_output, cut", facade.PythonTaskOutputOutput{TaskID: "t8", State: facade.TaskSucceeded, ExitCode: ptr(0), Content: "a", Offset: 0, NextOffset: 1}},
		{"task_output, end", facade.PythonTaskOutputOutput{TaskID: "t8", State: facade.TaskSucceeded, ExitCode: ptr(0), Content: "bye\n", Offset: 21, NextOffset: 25, EOF: true}},
		{"task_input", facade.PythonTaskInputOutput{TaskID: "t8", Accepted: 5, EOF: true}},
		{"task_cancel", facade.PythonTaskCancelOutput{TaskID: "t8", State: facade.TaskCanceled}},
		{"list_tasks", facade.PythonListTasksOutput{Tasks: []facade.PythonTask{
			{TaskID: "t2", State: facade.TaskRunning, Command: "train.py", PID: 9, Started: &noon, DurationMS: 1000},
			{TaskID: "t1", State: facade.TaskFailed, ExitCode: ptr(1), Command: "print(1)\nprint(2)", Started: &noon, DurationMS: 20},
		}}},
		{"list_tasks, none", facade.PythonListTasksOutput{}},
		{"terminal run that goes on", facade.TerminalRunOutput{TaskID: "t1", State: facade.TaskRunning, DurationMS: 10_000, TotalBytes: 99, Truncated: true, Stdout: "…\n"}},
		{"terminal start", facade.TerminalStartOutput{TaskID: "t1", State: facade.TaskRunning, PID: 12}},
		{"terminal output", facade.TerminalOutputOutput{TaskID: "t1", State: facade.TaskRunning, Content: "ready\n", NextOffset: 6}},
		{"terminal input", facade.TerminalInputOutput{TaskID: "t1", Accepted: 2}},
		{"terminal kill", facade.TerminalKillOutput{TaskID: "t1", State: facade.TaskCanceled, Leaked: []facade.LeakedProcess{{PID: 13, Command: "a\nb"}}}},
		{"terminal list", facade.TerminalListOutput{Processes: []facade.ProcessInfo{
			{TaskID: "t1", PID: 12, Command: "npm start", Status: facade.ProcessRunning, State: facade.TaskRunning, StartTime: &noon},
			{TaskID: "t0", PID: 11, Command: "make", Status: facade.ProcessFailed, State: facade.TaskFailed, ExitCode: ptr(2), StartTime: &noon},
		}}},
	})
}

func TestSyncTexts(t *testing.T) {
	goldenTexts(t, "texts_sync.txt", []shownOutput{
		{"status, never run", facade.SyncStatusOutput{State: facade.SyncIdle}},
		{"status, running", facade.SyncStatusOutput{
			State: facade.SyncSyncing, LastSyncTime: &noon, PendingChanges: 3, CurrentFile: "a/b.txt", Progress: &facade.SyncProgress{Current: 1, Total: 4},
		}},
		{"status, failed", facade.SyncStatusOutput{State: facade.SyncFailed, PendingChanges: 1, Error: "no space left"}},
		{"trigger", facade.SyncTriggerOutput{Copied: []string{"a", "b\nc"}, Deleted: []string{"d"}, Conflicts: []facade.SyncConflict{{Path: "e", Reason: "both sides changed"}}}},
		{"trigger, dry run", facade.SyncTriggerOutput{Copied: []string{"a"}, DryRun: true}},
		{"set_auto", facade.SyncSetAutoOutput{State: facade.SyncPaused}},
		{"get_config", facade.SyncConfigOutput{Config: facade.SyncConfig{AutoSync: true, DebounceMS: 500, ExcludePatterns: []string{".git/**", "*.tmp"}}}},
		{"get_config, nothing excluded", facade.SyncConfigOutput{}},
	})
}

func TestDocumentTexts(t *testing.T) {
	source := facade.DocumentSource{Path: "docs/q1.pdf", Format: "pdf", MIME: "application/pdf", Size: 20480}
	meta := facade.DocumentMeta{Title: "First quarter", PageCount: 3}
	withImage := facade.DocumentReadOutput{Source: source, Meta: meta, Pages: make([]facade.DocumentPage, 3), Content: "# First quarter\n\nRevenue rose.\n"}
	withImage.AddPart(facade.Part{MIME: "image/png", Data: []byte("png")})
	goldenTexts(t, "texts_document.txt", []shownOutput{
		{"read as Markdown", withImage},
		{"read as blocks, cut", facade.DocumentReadOutput{
			Source: source, Meta: meta, Pages: make([]facade.DocumentPage, 1), NextCursor: "p2",
			Tables: []facade.DocumentTable{{ID: "t1", Rows: 2, Cols: 2, Cells: []facade.DocumentCell{{Text: "Year"}, {Col: 1, Text: "Ducks"}, {Row: 1, Text: "2024"}, {Row: 1, Col: 1, Text: "31\n(est.)"}}}},
			Blocks: []facade.DocumentBlock{
				{ID: "b1", Kind: facade.BlockHeading, Level: 1, Text: "First quarter", Prov: []facade.DocumentPlace{{Page: 1}}},
				{ID: "b2", Kind: facade.BlockParagraph, Text: "Revenue rose.", Prov: []facade.DocumentPlace{{Page: 1, Line: 7}}},
				{ID: "b3", Kind: facade.BlockTable, Text: "Figures", Ref: "t1", Prov: []facade.DocumentPlace{{Part: "annex.xlsx", Sheet: "Sheet 1"}}},
				{ID: "b4", Kind: facade.BlockSlideNote, Text: "Smile.", Prov: []facade.DocumentPlace{{Slide: 2}}},
				{ID: "b5", Kind: facade.BlockQuote, Text: "No place."},
			},
			Warnings: []facade.DocumentWarning{{Code: "no_text_layer", Message: "page without text", Page: 2}, {Code: "encrypted", Message: "attachment skipped"}},
		}},
		{"read with a template", facade.DocumentReadOutput{
			Source: facade.DocumentSource{Path: "bill.docx", Format: "docx", Size: 10},
			Extracted: map[string]facade.DocumentField{
				"total": {Value: 12.5, Confidence: 0.9, Blocks: []string{"b4", "b5"}},
				"from":  {Value: "A <b>", Confidence: 1},
			},
			Missing: []string{"date"},
		}},
		{"index", facade.DocumentIndexOutput{Backends: []facade.DocumentIndexed{
			{Backend: "memory", Documents: 2, Chunks: 40, Unchanged: 1, Skipped: []facade.DocumentSkipped{{Path: "x.bin", Reason: "unsupported format"}}, DurationMS: 80},
			{Backend: "postgres", Error: facade.Errorf(facade.CodeUnavailable, "no connection").WithHint("start the server")},
		}}},
		{"search", facade.DocumentSearchOutput{Hits: []facade.DocumentHit{
			{Path: "docs/q1.pdf", Page: 2, Heading: "Revenue", Snippet: "the  revenue\nrose", Score: 3.2, Block: "b7"}, {Path: "a.md", Snippet: "revenue"},
		}}},
		{"search, nothing", facade.DocumentSearchOutput{}},
		{"read_image", facade.DocumentReadImageOutput{
			Path: "chart.png", Format: "png", Width: 640, Height: 480, Text: "Sales\n2026\n", Description: "A bar chart.", Engines: []string{"tesseract", "model"},
			Chart: &facade.DocumentChart{Type: "bar", Title: "Sales", Series: []facade.DocumentSeries{
				{Name: "2026", Points: []facade.DocumentPoint{{Label: "Q1", Value: 1.5}, {Label: "Q2", Value: 2}}},
			}},
		}},
		{"read_image, size only", facade.DocumentReadImageOutput{Path: "a.gif", Format: "gif", Width: 1, Height: 1}},
	})
}
