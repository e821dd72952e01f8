package archtest

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadmeListsEveryAction holds the README's table to the reference's.
func TestReadmeListsEveryAction(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| \[(\w+)\]\(\w+\.md\) \| ([^|]*) \|`)
	reference, err := os.ReadFile(root + "/reference/README.md")
	if err != nil {
		t.Fatal(err)
	}
	tools := row.FindAllStringSubmatch(string(reference), -1)
	if len(tools) == 0 {
		t.Fatal("the reference lists no tools")
	}
	ours := map[string]string{}
	tool := ""
	for _, m := range regexp.MustCompile("(?m)^\\| (`(\\w+)`)? *\\| ([^|]*) \\|").FindAllStringSubmatch(prose(t)["README.md"], -1) {
		if m[2] != "" {
			tool = m[2]
		}
		ours[tool] += ", " + m[3]
	}
	for _, m := range tools {
		have := strings.Split(ours[m[1]], ", ")
		for action := range strings.SplitSeq(m[2], ", ") {
			if !slices.Contains(have, action) {
				t.Errorf("the table of README.md lacks %s of %s", action, m[1])
			}
		}
	}
}

// TestServerFlagsAreDescribed holds the tables of flags to the server's.
func TestServerFlagsAreDescribed(t *testing.T) {
	src, err := os.ReadFile(root + "/examples/mcpserver/config.go")
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	for _, m := range regexp.MustCompile(`flags\.\w+Var\(&[\w.]+, "([\w-]+)"`).FindAllStringSubmatch(string(src), -1) {
		flags = append(flags, m[1])
	}
	if len(flags) == 0 {
		t.Fatal("the server has no flags")
	}
	texts := prose(t)
	const full = "examples/mcpserver/README.md"
	for _, doc := range []string{"README.md", full} {
		var listed []string
		for line := range strings.Lines(texts[doc]) {
			if cell, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && strings.HasPrefix(cell, "`-") {
				for _, m := range regexp.MustCompile("`-([\\w-]+)").FindAllStringSubmatch(cell, -1) {
					listed = append(listed, m[1])
				}
			}
		}
		for _, name := range listed {
			if !slices.Contains(flags, name) {
				t.Errorf("%s lists -%s, which the server does not have", doc, name)
			}
		}
		for _, name := range flags {
			if doc == full && !slices.Contains(listed, name) {
				t.Errorf("%s does not list -%s", doc, name)
			}
		}
	}
}

// TestDesignNotesAreListed holds the index to the notes and their titles.
func TestDesignNotesAreListed(t *testing.T) {
	texts := prose(t)
	index := texts["design/README.md"]
	for doc, text := range texts {
		base := path.Base(doc)
		if path.Dir(doc) != "design" || base == "README.md" || base == "regrets.md" {
			continue
		}
		title, _, _ := strings.Cut(text, "\n")
		title = strings.TrimPrefix(title, "# ")
		if number, _, _ := strings.Cut(base, "-"); !strings.HasPrefix(title, number+" ") {
			t.Errorf("the title of %s is %q: it has to start with the number", doc, title)
		}
		if !strings.Contains(index, "["+title+"]("+base+")") {
			t.Errorf("design/README.md lacks [%s](%s)", title, base)
		}
	}
}
