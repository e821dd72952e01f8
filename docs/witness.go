package docs

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// witness knows what a document says, to check values of a model.
type witness struct {
	ids   []string
	terms map[string]string    // block to its terms, with blanks around each
	nums  map[string][]float64 // block to the numbers in it
}

func newWitness(blocks []ExtractionBlock) *witness {
	w := &witness{terms: map[string]string{}, nums: map[string][]float64{}}
	for _, b := range blocks {
		w.ids = append(w.ids, b.ID)
		w.terms[b.ID] = spaced(b.Text)
		w.nums[b.ID] = numbersIn(b.Text)
	}
	return w
}

// spaced is text as its terms, so that only whole words are found in it.
func spaced(s string) string { return " " + strings.Join(Terms(s), " ") + " " }

// numbersIn lists the numbers of a text.
func numbersIn(s string) []float64 {
	var all []float64
	for s != "" {
		n, _, end, ok := numberIn(s)
		if end == 0 {
			break
		}
		if ok {
			all = append(all, n)
		}
		s = s[end:]
	}
	return all
}

// blocks returns the blocks among the claimed ones that hold a value, else
// those of the document that do, and how sure that is. A truth value occurs
// nowhere as such: the claimed blocks have to exist.
func (w *witness) blocks(value any, claimed []string) (at []string, confidence float64) {
	claimed = slices.DeleteFunc(slices.Clone(claimed), func(id string) bool { _, ok := w.terms[id]; return !ok })
	if _, ok := value.(bool); ok {
		return claimed, sureElsewhere
	}
	if at, ok := w.all(value, claimed); ok {
		return at, sureModel
	}
	if at, ok := w.all(value, w.ids); ok {
		return at, sureElsewhere
	}
	return nil, 0
}

// all finds every part of a value in one of the blocks.
func (w *witness) all(value any, ids []string) ([]string, bool) {
	var parts []any
	switch v := value.(type) {
	case []any:
		parts = v
	case map[string]any:
		parts = slices.Collect(maps.Values(v))
	default:
		return w.one(value, ids)
	}
	var at []string
	for _, part := range parts {
		found, ok := w.all(part, ids)
		if !ok {
			return nil, false
		}
		for _, id := range found {
			if !slices.Contains(at, id) {
				at = append(at, id)
			}
		}
	}
	return at, len(at) > 0
}

func (w *witness) one(value any, ids []string) ([]string, bool) {
	for _, id := range ids {
		if w.holds(id, value) {
			return []string{id}, true
		}
	}
	return nil, false
}

func (w *witness) holds(id string, value any) bool {
	n, isNumber := asNumber(value)
	if isNumber {
		return slices.ContainsFunc(w.nums[id], func(x float64) bool { return math.Abs(math.Abs(x)-math.Abs(n)) < 1e-9*math.Max(1, math.Abs(n)) })
	}
	text := spaced(fmt.Sprint(value))
	return strings.TrimSpace(text) != "" && strings.Contains(w.terms[id], text)
}

func asNumber(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	}
	return 0, false
}

// fit makes a value of a model one of the field's type.
func (f Field) fit(v any) (any, bool) {
	switch f.Type {
	case kindArray:
		list, ok := v.([]any)
		if !ok || len(list) == 0 || len(list) > maxItems {
			return nil, false
		}
		return list, true
	case kindNumber, kindInteger:
		if n, ok := v.(float64); ok {
			if f.Type == kindInteger && n != math.Trunc(n) {
				return nil, false
			}
			return n, true
		}
	case kindBoolean:
		if b, ok := v.(bool); ok {
			return b, true
		}
	}
	s, ok := v.(string)
	if !ok || len(s) > maxValue {
		return nil, false
	}
	return f.typed(strings.TrimSpace(s))
}
