package access

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade/facade"
)

// Resource is a path that a call names, or implies.
type Resource struct {
	// Field is the parameter, as "edits[1].path".
	Field string `json:"field"`
	// Path is as the model wrote it; below another parameter's directory, joined
	// to that. "/" is the root.
	Path string `json:"path"`
	// Tree says that the call may reach what lies below.
	Tree bool `json:"tree,omitempty"`
}

// ResourceLister is implemented by inputs that know better than [Resources]
// what they name.
type ResourceLister interface {
	// Resources lists the paths of the call.
	Resources() []Resource
}

// pathNames are the parameters taken for paths, wherever they stand in an
// input. Beside them "repo_path" is a path that the others of the same input
// start from, "cwd" the directory of a program, which may reach all of the
// root, "script" and "python" paths when they look like one, and "patch" a
// unified diff that names files.
var pathNames = []string{
	"path", "paths", "file", "files", "filename", "dir", "directory", "source", "destination",
	"old_path", "new_path", "from_path", "to_path", "target_path",
}

// notPaths are parameters of such a name that are something else.
var notPaths = map[reflect.Type]string{
	reflect.TypeFor[facade.GitRestoreInput](): "source", // a commit
}

// flat are the inputs whose calls touch what they name and nothing below.
// Inputs with a parameter "recursive" are when it is false.
var flat = typeSet(
	facade.ReadInput{}, facade.WriteInput{}, facade.CreateInput{}, facade.ModifyInput{}, facade.ReplaceInput{},
	facade.EditInput{}, facade.PatchInput{}, facade.InfoInput{}, facade.CdInput{}, facade.GitBlameInput{},
	facade.DocumentReadInput{}, facade.DocumentReadImageInput{},
)

// wide are the inputs whose calls may reach all of the root when they name no
// path.
var wide = typeSet(
	facade.UndoInput{}, facade.HistoryInput{}, facade.DocumentSearchInput{}, facade.SyncTriggerInput{},
)

func typeSet(values ...any) map[reflect.Type]bool {
	set := map[reflect.Type]bool{}
	for _, v := range values {
		set[reflect.TypeOf(v)] = true
	}
	return set
}

// Resources lists the paths in a decoded input: those of its parameters named
// path, paths, file, files, filename, dir, directory, source, destination,
// old_path, new_path, from_path, to_path, target_path, repo_path, cwd, script,
// python and patch, in nested structs too. What is below a path counts as
// reached unless the input is known not to reach it, or has a parameter
// "recursive" that is false. An input that is a [ResourceLister] answers itself.
func Resources(input any) []Resource {
	if l, ok := input.(ResourceLister); ok {
		return l.Resources()
	}
	v := reflect.Indirect(reflect.ValueOf(input))
	if v.Kind() != reflect.Struct {
		return nil
	}
	c := collector{tree: !flat[v.Type()]}
	c.object(v, "")
	if len(c.found) == 0 && wide[v.Type()] {
		c.add("", "/")
	}
	return c.found
}

type collector struct {
	tree  bool
	found []Resource
}

func (c *collector) add(field, p string) {
	if p == "" {
		return
	}
	c.found = append(c.found, Resource{Field: field, Path: p, Tree: c.tree})
	// A pattern reaches what it matches: all below its fixed part, for all that
	// is known here.
	if i := strings.IndexAny(p, "*?[{"); i >= 0 && c.tree {
		fixed := p[:strings.LastIndexByte(p[:i], '/')+1]
		if fixed == "" {
			fixed = "."
		}
		c.found = append(c.found, Resource{Field: field, Path: fixed, Tree: true})
	}
}

// object collects the paths of a struct.
func (c *collector) object(v reflect.Value, prefix string) {
	fields := facade.Fields(v.Type())
	base, before := "", len(c.found)
	for _, f := range fields {
		switch f.Name {
		case "repo_path":
			base = text(v, f)
		case "recursive":
			c.tree = text(v, f) == "true"
		}
	}
	for _, f := range fields {
		if f.Name != "repo_path" && notPaths[f.GoStruct] != f.Name {
			c.field(value(v, f), f, prefix+f.Name, base)
		}
	}
	if base != "" && len(c.found) == before {
		c.add(prefix+"repo_path", base)
	}
}

// field collects the paths of one parameter, which is or holds paths.
func (c *collector) field(v reflect.Value, f facade.Field, name, base string) {
	if !v.IsValid() {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		if len(facade.Fields(v.Type())) > 0 {
			c.object(v, name+".")
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.field(reflect.Indirect(v.Index(i)), f, fmt.Sprintf("%s[%d]", name, i), base)
		}
	case reflect.String:
		s := v.String()
		if s == "" {
			s = f.Default
		}
		c.text(f.Name, name, s, base)
	}
}

// text collects what a string parameter names.
func (c *collector) text(parameter, name, s, base string) {
	switch {
	case slices.Contains(pathNames, parameter):
		if base != "" && s != "" && !isAbs(s) {
			s = base + "/" + s
		}
		c.add(name, s)
	case parameter == "cwd" && s != "":
		c.found = append(c.found, Resource{Field: name, Path: s}, Resource{Field: name, Path: "/", Tree: true})
	case parameter == "patch":
		for _, p := range patchPaths(s) {
			c.add(name, p)
		}
	case parameter == "script" && !strings.ContainsAny(s, "\r\n(=;"),
		parameter == "python" && strings.ContainsAny(s, `/\`):
		c.add(name, s)
	}
}

// value returns a parameter's value, invalid when it is absent.
func value(v reflect.Value, f facade.Field) reflect.Value {
	return reflect.Indirect(v.FieldByName(f.GoName))
}

// text returns a parameter's value, or its default, as text.
func text(v reflect.Value, f facade.Field) string {
	fv := value(v, f)
	if !fv.IsValid() || fv.IsZero() && f.Default != "" && fv.Kind() != reflect.Bool {
		return f.Default
	}
	return fmt.Sprint(fv.Interface())
}

// shownPath is a path for a reply: short and lexical.
func shownPath(p string) string {
	if len(p) > 200 {
		p = p[:200] + "…"
	}
	return path.Clean(p)
}
