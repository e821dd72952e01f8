package pyexec

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadMetadata(t *testing.T) {
	for name, c := range map[string]struct {
		text     string // of the block, without comment signs
		want     []string
		requires bool
		fails    string
	}{
		"nothing":         {text: ""},
		"one":             {text: "dependencies = ['rich']", want: []string{"rich"}},
		"lines":           {text: "dependencies = [\n  \"rich>=13\", # why\n\n  'httpx[http2]' ,\n]", want: []string{"rich>=13", "httpx[http2]"}},
		"quoted key":      {text: "\"dependencies\"=[\"a\"]", want: []string{"a"}},
		"escapes":         {text: `dependencies = ["a; os_name == \"nt\"", "\u00e9\t\\"]`, want: []string{"a; os_name == \"nt\"", "é\t\\"}},
		"long strings":    {text: "dependencies = [\"\"\"\na\\\n   b\"\"\", '''c''']", want: []string{"ab", "c"}},
		"version":         {text: "requires-python = \">=3.11\"", requires: true},
		"others":          {text: "x = 1\ny = { a = [1, 2], b = 'c' }\nz = 2024-01-01\ndependencies = [\"a\"]\nw = true # yes", want: []string{"a"}},
		"table":           {text: "dependencies = [\"a\"]\n[tool.uv]\nexclude-newer = \"2024-01-01T00:00:00Z\"\ndependencies = [\"b\"]", want: []string{"a"}},
		"sign in strings": {text: "dependencies = [\"a#b\", \"c]d\", 'e,f']", want: []string{"a#b", "c]d", "e,f"}},
		"no list":         {text: "dependencies = 'a'", fails: "list of strings"},
		"no strings":      {text: "dependencies = [['a']]", fails: "list of strings"},
		"open list":       {text: "dependencies = ['a'", fails: "not closed"},
		"open string":     {text: "dependencies = ['a", fails: "not closed"},
		"no comma":        {text: "dependencies = ['a' 'b']", fails: "not closed"},
		"no value":        {text: "dependencies =", fails: "missing"},
		"no sign":         {text: "dependencies", fails: "key = value"},
		"behind a value":  {text: "dependencies = ['a'] 'b'", fails: "key = value"},
		"bad escape":      {text: `dependencies = ["\q"]`, fails: "escape"},
		"bad rune":        {text: `dependencies = ["\ud800xx"]`, fails: "escape"},
		"deep":            {text: "x = " + strings.Repeat("[", 100), fails: "deep"},
	} {
		block := "# /// script\n"
		for line := range strings.Lines(c.text) {
			block += strings.TrimRight("# "+strings.TrimSuffix(line, "\n"), " ") + "\n"
		}
		block += "# ///\n"
		m, err := readMetadata("#!/usr/bin/env python3\n\n" + block + "print()\n")
		if (err != nil) != (c.fails != "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err == nil && (m.block != block || m.requiresPython != c.requires || !cmp.Equal(m.dependencies, c.want)) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

func TestMetadataBlocks(t *testing.T) {
	const good = "# /// script\n# dependencies = ['a']\n# ///\n"
	for name, c := range map[string]struct {
		source string
		finds  bool
		fails  bool
	}{
		"none":           {source: "print('# /// script')\n"},
		"other tool":     {source: "# /// pyproject\n# dependencies = ['a']\n# ///\n"},
		"first":          {source: good, finds: true},
		"no line end":    {source: strings.TrimSuffix(good, "\n"), finds: true},
		"last":           {source: "print()\n" + good, finds: true},
		"line ends":      {source: strings.ReplaceAll(good, "\n", "\r\n"), finds: true},
		"mark":           {source: "\uFEFF" + good, finds: true},
		"blanks":         {source: strings.ReplaceAll(good, "\n", " \n"), finds: true},
		"comment behind": {source: good + "# and so on\n", finds: true},
		"indented":       {source: "if True:\n    " + strings.ReplaceAll(good, "\n", "\n    ")},
		"twice":          {source: good + "\n" + good, fails: true},
		"open":           {source: "# /// script\n# dependencies = ['a']\n", fails: true},
		"no blank":       {source: "# /// script\n#dependencies = ['a']\n# ///\n", fails: true},
		"no comment":     {source: "# /// script\ndependencies = ['a']\n# ///\n", fails: true},
	} {
		m, err := readMetadata(c.source)
		if (err != nil) != c.fails || err == nil && (len(m.dependencies) == 1) != c.finds {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}

func FuzzReadMetadata(f *testing.F) {
	for _, s := range []string{
		"# /// script\n# dependencies = [\"a\", 'b']\n# ///\n", "# /// script\n# x = {a=[1,{}]}\n# ///", "# /// script\n# \"\"\"\n# ///\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		m, err := readMetadata(source)
		if err != nil || m.block == "" {
			return
		}
		again, err := readMetadata(m.block)
		if err != nil || !cmp.Equal(again.dependencies, m.dependencies) || again.block != m.block {
			t.Errorf("%q gives %+v, and what it gives %+v, %v", source, m, again, err)
		}
	})
}
