package texmath

import (
	"encoding/xml"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
)

// Office writes the children of the current element of Office Math.
func Office(x *document.XML) (string, error) {
	var b strings.Builder
	err := x.Children(func(e xml.StartElement) error {
		s, err := officeElement(x, e)
		b.WriteString(s)
		return err
	})
	return b.String(), err
}

// args reads the named parts of a structure, and its properties.
func args(x *document.XML) (parts map[string][]string, props map[string]string, err error) {
	parts, props = map[string][]string{}, map[string]string{}
	err = x.Children(func(e xml.StartElement) error {
		if strings.HasSuffix(e.Name.Local, "Pr") {
			return x.Children(func(p xml.StartElement) error {
				props[p.Name.Local] = document.Attr(p, "val")
				return nil
			})
		}
		s, err := Office(x)
		parts[e.Name.Local] = append(parts[e.Name.Local], s)
		return err
	})
	return parts, props, err
}

func officeElement(x *document.XML, e xml.StartElement) (string, error) {
	switch e.Name.Local {
	case "r":
		return officeRun(x)
	case "m":
		return matrix(x)
	case "f", "sSup", "sSub", "sSubSup", "sPre", "rad", "nary", "d", "func", "acc", "bar", "limLow", "limUpp", "groupChr", "eqArr":
		parts, props, err := args(x)
		return structure(e.Name.Local, parts, props), err
	case "ctrlPr", "rPr":
		return "", nil
	}
	return Office(x)
}

func officeRun(x *document.XML) (string, error) {
	var b strings.Builder
	err := x.Children(func(e xml.StartElement) error {
		if e.Name.Local != "t" {
			return nil
		}
		s, err := x.Text()
		b.WriteString(text(s))
		return err
	})
	return b.String(), err
}

func structure(kind string, parts map[string][]string, props map[string]string) string {
	arg := func(name string) string { return strings.Join(parts[name], "") }
	body := arg("e")
	switch kind {
	case "f":
		if props["type"] == "noBar" {
			return `\genfrac{}{}{0pt}{}` + group(arg("num")) + group(arg("den"))
		}
		return `\frac` + group(arg("num")) + group(arg("den"))
	case "sSup":
		return base(body) + "^" + group(arg("sup"))
	case "sSub":
		return base(body) + "_" + group(arg("sub"))
	case "sSubSup":
		return base(body) + "_" + group(arg("sub")) + "^" + group(arg("sup"))
	case "sPre":
		return "{}_" + group(arg("sub")) + "^" + group(arg("sup")) + body
	case "rad":
		if deg := strings.TrimSpace(arg("deg")); deg != "" {
			return `\sqrt[` + deg + "]" + group(body)
		}
		return `\sqrt` + group(body)
	case "nary":
		return nary(props, arg("sub"), arg("sup")) + body
	case "d":
		return delimited(parts["e"], props)
	case "func":
		return function(arg("fName")) + group(body)
	case "acc":
		return accent(props["chr"]) + group(body)
	case "bar":
		return `\overline` + group(body)
	case "limLow":
		return function(body) + "_" + group(arg("lim"))
	case "limUpp":
		return function(body) + "^" + group(arg("lim"))
	case "eqArr":
		return `\begin{aligned}` + strings.Join(parts["e"], ` \\ `) + `\end{aligned}`
	}
	return body
}

func nary(props map[string]string, sub, sup string) string {
	chr, ok := props["chr"]
	if !ok {
		chr = "∫"
	}
	out := strings.TrimSpace(text(chr))
	if strings.TrimSpace(sub) != "" {
		out += "_" + group(sub)
	}
	if strings.TrimSpace(sup) != "" {
		out += "^" + group(sup)
	}
	return out + " "
}

func delimited(parts []string, props map[string]string) string {
	get := func(name, usual string) string {
		if v, ok := props[name]; ok {
			return v
		}
		return usual
	}
	return fence(get("begChr", "("), strings.Join(parts, get("sepChr", "|")), get("endChr", ")"))
}

func matrix(x *document.XML) (string, error) {
	var rows []string
	err := x.Children(func(e xml.StartElement) error {
		if e.Name.Local != "mr" {
			return nil
		}
		parts, _, err := args(x)
		rows = append(rows, strings.Join(parts["e"], " & "))
		return err
	})
	return `\begin{matrix}` + strings.Join(rows, ` \\ `) + `\end{matrix}`, err
}
