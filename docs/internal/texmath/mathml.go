package texmath

import (
	"encoding/xml"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
)

// MathML writes the children of the current element of MathML. An annotation
// in LaTeX or StarMath beside it is left out.
func MathML(x *document.XML) (string, error) {
	parts, err := mathParts(x)
	return strings.Join(parts, ""), err
}

func mathParts(x *document.XML) ([]string, error) {
	var parts []string
	err := x.Children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "annotation", "annotation-xml":
			return nil
		case "mi", "mn", "mo", "mtext", "ms":
			s, err := x.Text()
			s = strings.TrimSpace(s)
			if functions[s] {
				s = `\` + s + " "
			} else {
				s = text(s)
			}
			parts = append(parts, s)
			return err
		case "mspace":
			parts = append(parts, " ")
			return nil
		}
		args, err := mathParts(x)
		parts = append(parts, mathStructure(e, args))
		return err
	})
	return parts, err
}

func mathStructure(e xml.StartElement, args []string) string {
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	all := strings.Join(args, "")
	switch e.Name.Local {
	case "mfrac":
		return `\frac` + group(arg(0)) + group(arg(1))
	case "msup", "mover":
		return base(arg(0)) + "^" + group(arg(1))
	case "msub", "munder":
		return base(arg(0)) + "_" + group(arg(1))
	case "msubsup", "munderover":
		return base(arg(0)) + "_" + group(arg(1)) + "^" + group(arg(2))
	case "msqrt":
		return `\sqrt` + group(all)
	case "mroot":
		return `\sqrt[` + arg(1) + "]" + group(arg(0))
	case "mfenced":
		open, shut := "(", ")"
		if v := document.Attr(e, "open"); v != "" {
			open = v
		}
		if v := document.Attr(e, "close"); v != "" {
			shut = v
		}
		return fence(open, strings.Join(args, ","), shut)
	case "mtr":
		return strings.Join(args, " & ") + ` \\ `
	case "mtable":
		return `\begin{matrix}` + strings.TrimSuffix(all, ` \\ `) + `\end{matrix}`
	}
	return all
}
