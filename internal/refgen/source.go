package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// source is what the generator takes from the Go source of package facade.
type source struct {
	comments map[string]string // "Type.Field" -> comment
	codes    []code
}

// code is an error code and when it is given.
type code struct{ value, when string }

// readSource parses the package in dir, tests left out.
func readSource(dir string) (*source, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasSuffix(n, "_test.go") })
	if len(names) == 0 {
		return nil, fmt.Errorf("no Go files in %s: %w", dir, fs.ErrNotExist)
	}
	s := &source{comments: map[string]string{}}
	types := map[string]ast.Expr{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.readFile(file, types)
	}
	for name := range types {
		s.addStruct(name, structOf(name, types))
	}
	return s, nil
}

// readFile collects the type declarations and the error codes of a file.
func (s *source) readFile(file *ast.File, types map[string]ast.Expr) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				types[spec.Name.Name] = spec.Type
			case *ast.ValueSpec:
				s.addCode(spec)
			}
		}
	}
}

// addCode adds a constant of type Code, whose comment stands behind it.
func (s *source) addCode(spec *ast.ValueSpec) {
	if t, ok := spec.Type.(*ast.Ident); !ok || t.Name != "Code" || len(spec.Values) != 1 {
		return
	}
	if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
		if value, err := strconv.Unquote(lit.Value); err == nil {
			s.codes = append(s.codes, code{value, oneLine(spec.Comment.Text())})
		}
	}
}

// structOf follows declarations like "type CopyInput MoveInput" to a struct;
// nil when there is none at the end.
func structOf(name string, types map[string]ast.Expr) *ast.StructType {
	for range len(types) {
		switch t := types[name].(type) {
		case *ast.StructType:
			return t
		case *ast.Ident:
			name = t.Name
		default:
			return nil
		}
	}
	return nil
}

// addStruct adds the comments of the fields that JSON shows.
func (s *source) addStruct(name string, t *ast.StructType) {
	if t == nil {
		return
	}
	for _, f := range t.Fields.List {
		text := f.Doc.Text()
		if text == "" {
			text = f.Comment.Text()
		}
		member := jsonName(f.Tag)
		if text == "" || member == "" {
			continue
		}
		for _, id := range f.Names {
			if id.IsExported() {
				s.comments[name+"."+id.Name] = renamed(oneLine(text), id.Name, member)
			}
		}
	}
}

// jsonName is the name that a struct tag gives a field in JSON, "" for none.
func jsonName(tag *ast.BasicLit) string {
	if tag == nil {
		return ""
	}
	text, err := strconv.Unquote(tag.Value)
	name, _, _ := strings.Cut(reflect.StructTag(text).Get("json"), ",")
	if err != nil || name == "-" {
		return ""
	}
	return name
}

// renamed lets a comment that starts with the field's Go name start with its
// name in JSON, which is the one that a model sees. A name like Path is left:
// it is an English word too.
func renamed(text, goName, member string) string {
	rest, ok := strings.CutPrefix(text, goName+" ")
	if !ok || strings.ToLower(goName[1:]) == goName[1:] {
		return text
	}
	return member + " " + rest
}

var docLink = regexp.MustCompile(`\[(\*?[A-Za-z][\w.]*)\]`)

// oneLine joins the lines of a comment and drops the brackets of doc links.
func oneLine(text string) string {
	return docLink.ReplaceAllString(strings.Join(strings.Fields(text), " "), "$1")
}
