package schema

import (
	_ "embed" // for comments.json
	"encoding/json"
	"fmt"
	"reflect"
	"sync"

	"github.com/toolfacade/toolfacade/facade"
)

//go:embed comments.json
var commentsJSON []byte

// comments maps "Type.Field" of package facade to the field's comment.
var comments = sync.OnceValue(func() map[string]string {
	var m map[string]string
	if err := json.Unmarshal(commentsJSON, &m); err != nil {
		panic(fmt.Sprintf("schema: comments.json: %v", err))
	}
	return m
})

var facadePath = reflect.TypeFor[facade.Tool]().PkgPath()

// describe returns the description of a struct field: its description tag, or
// the comment of a field of package facade, or "".
func describe(t reflect.Type, goName string) string {
	if goName == "" { // a type: what its fields say is enough
		return ""
	}
	if f, ok := t.FieldByName(goName); ok {
		if text := f.Tag.Get("description"); text != "" {
			return text
		}
	}
	if t.PkgPath() != facadePath {
		return ""
	}
	return comments()[t.Name()+"."+goName]
}
