package facadetest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/toolfacade/toolfacade/facade"
)

func list(names ...string) []string { return names }

func syncCopyRules() []syncRule {
	return []syncRule{
		{"copy/new", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			if err := x.Source.MkdirAll("deep/down", 0o755); err != nil {
				x.Fatal(err)
			}
			x.put(x.Source, "deep/down/b.txt", "two")
			x.trigger("to_target", list("a.txt", "deep/down/b.txt"), nil, nil)
			x.holds("a.txt", "one", "one")
			x.holds("deep/down/b.txt", "two", "two")
			x.trigger("to_target", nil, nil, nil)
		}},
		{"copy/changed", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			x.trigger("both", list("a.txt"), nil, nil)
			x.put(x.Source, "a.txt", "two")
			x.trigger("both", list("a.txt"), nil, nil)
			x.put(x.Target, "a.txt", "ten")
			x.trigger("both", list("a.txt"), nil, nil)
			x.holds("a.txt", "ten", "ten")
		}},
		{"copy/back", func(x *syncTest) {
			x.put(x.Target, "a.txt", "one")
			x.trigger("to_target", nil, nil, nil)
			x.holds("a.txt", "", "one")
			x.trigger("to_source", list("a.txt"), nil, nil)
			x.holds("a.txt", "one", "one")
		}},
		{"delete", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			x.put(x.Source, "b.txt", "two")
			x.trigger("both", list("a.txt", "b.txt"), nil, nil)
			x.remove(x.Source, "a.txt")
			x.remove(x.Target, "b.txt")
			x.trigger("both", nil, list("a.txt", "b.txt"), nil)
			x.holds("a.txt", "", "")
			x.holds("b.txt", "", "")
			x.trigger("both", nil, nil, nil)
		}},
		{"restore", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			x.trigger("to_target", list("a.txt"), nil, nil)
			x.remove(x.Target, "a.txt")
			x.trigger("to_target", list("a.txt"), nil, nil)
			x.holds("a.txt", "one", "one")
		}},
		{"dry_run", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			out := x.call(`{"action":"trigger","dry_run":true}`).(facade.SyncTriggerOutput)
			x.did(out, list("a.txt"), nil, nil)
			x.holds("a.txt", "one", "")
			if !out.DryRun {
				x.Error("dry_run is not reported")
			}
		}},
	}
}

func syncConflictRules() []syncRule {
	return []syncRule{
		{"conflict/both changed", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			x.trigger("both", list("a.txt"), nil, nil)
			x.put(x.Source, "a.txt", "left")
			x.put(x.Target, "a.txt", "right")
			for _, direction := range list("both", "to_target", "to_source") {
				x.trigger(direction, nil, nil, list("a.txt"))
			}
			x.holds("a.txt", "left", "right")
			x.put(x.Target, "a.txt", "left") // somebody decides
			x.trigger("both", nil, nil, nil)
			x.put(x.Source, "a.txt", "next")
			x.trigger("both", list("a.txt"), nil, nil)
		}},
		{"conflict/changed and deleted", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			x.put(x.Source, "b.txt", "one")
			x.trigger("both", list("a.txt", "b.txt"), nil, nil)
			x.put(x.Source, "a.txt", "two")
			x.remove(x.Target, "a.txt")
			x.remove(x.Source, "b.txt")
			x.put(x.Target, "b.txt", "two")
			x.trigger("to_source", list("b.txt"), nil, list("a.txt"))
			x.holds("a.txt", "two", "")
			x.holds("b.txt", "two", "two")
			x.trigger("both", list("a.txt"), nil, nil)
			x.holds("a.txt", "two", "two")
		}},
		{"conflict/settled by deleting", func(x *syncTest) {
			x.put(x.Source, "a.txt", "left")
			x.put(x.Target, "a.txt", "right")
			x.trigger("both", nil, nil, list("a.txt"))
			x.remove(x.Source, "a.txt")
			x.trigger("both", list("a.txt"), nil, nil)
			x.holds("a.txt", "right", "right")
		}},
		{"conflict/first meeting", func(x *syncTest) {
			x.put(x.Source, "a.txt", "left")
			x.put(x.Target, "a.txt", "right")
			x.put(x.Source, "same.txt", "same")
			x.put(x.Target, "same.txt", "same")
			x.trigger("both", nil, nil, list("a.txt"))
			x.holds("a.txt", "left", "right")
		}},
		{"conflict/one way", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			x.trigger("to_target", list("a.txt"), nil, nil)
			x.put(x.Target, "a.txt", "mine")
			x.trigger("to_target", nil, nil, list("a.txt"))
			x.holds("a.txt", "one", "mine")
		}},
		{"conflict/directory", func(x *syncTest) {
			x.put(x.Source, "a", "file")
			if err := x.Target.MkdirAll("a", 0o755); err != nil {
				x.Fatal(err)
			}
			x.put(x.Target, "a/b.txt", "below")
			x.trigger("both", nil, nil, list("a", "a/b.txt"))
			x.holds("a/b.txt", "", "below")
		}},
	}
}

func syncConfigRules() []syncRule {
	return []syncRule{
		{"exclude", func(x *syncTest) {
			if err := x.Source.MkdirAll("node_modules/x", 0o755); err != nil {
				x.Fatal(err)
			}
			for _, name := range list("a.log", "a.txt", "node_modules/x/y.js") {
				x.put(x.Source, name, name)
			}
			x.call(`{"action":"update_config","exclude_patterns":["*.log","node_modules"]}`)
			x.trigger("both", list("a.txt"), nil, nil)
			x.call(`{"action":"update_config","exclude_patterns":[]}`)
			x.trigger("both", list("a.log", "node_modules/x/y.js"), nil, nil)
		}},
		{"config", func(x *syncTest) {
			before := x.call(`{"action":"get_config"}`).(facade.SyncConfigOutput).Config
			after := x.call(`{"action":"update_config","debounce_ms":7}`).(facade.SyncConfigOutput).Config
			before.DebounceMS = 7
			if diff := cmp.Diff(before, after); diff != "" {
				x.Errorf("config (-want +got)\n%s", diff)
			}
			for _, args := range list(`{"action":"update_config","exclude_patterns":["a["]}`, `{"action":"update_config"}`) {
				res, err := x.tool.Call(x.Context(), facade.Call{Args: []byte(args)})
				if err != nil || res.OK() || res.Error.Code != facade.CodeInvalidArgument {
					x.Errorf("%s: %v, %s", args, err, res.FullText())
				}
			}
			if got := x.call(`{"action":"get_config"}`).(facade.SyncConfigOutput).Config; cmp.Diff(after, got) != "" {
				x.Errorf("a refused change changed the configuration to %+v", got)
			}
		}},
		{"status", func(x *syncTest) {
			x.put(x.Source, "a.txt", "one")
			out := x.call(`{"action":"status"}`).(facade.SyncStatusOutput)
			if out.State != facade.SyncPaused || out.PendingChanges != 1 || out.LastSyncTime != nil || out.Progress != nil {
				x.Errorf("before: %+v", out)
			}
			x.trigger("both", list("a.txt"), nil, nil)
			out = x.call(`{"action":"status"}`).(facade.SyncStatusOutput)
			if out.PendingChanges != 0 || out.LastSyncTime == nil || out.Error != "" {
				x.Errorf("after: %+v", out)
			}
			auto := x.call(`{"action":"set_auto","enabled":true}`).(facade.SyncSetAutoOutput)
			if !auto.AutoSync || auto.State == facade.SyncPaused {
				x.Errorf("switched on: %+v", auto)
			}
			if auto = x.call(`{"action":"set_auto","enabled":false}`).(facade.SyncSetAutoOutput); auto.AutoSync || auto.State != facade.SyncPaused {
				x.Errorf("switched off: %+v", auto)
			}
		}},
	}
}
