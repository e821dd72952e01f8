// Package texmath writes formulas of office documents as LaTeX: Office Math
// and MathML.
package texmath

import (
	"strings"
	"unicode"
)

// functions are the names that LaTeX sets upright.
var functions = map[string]bool{
	"sin": true, "cos": true, "tan": true, "cot": true, "sec": true, "csc": true, "log": true, "ln": true, "lg": true,
	"exp": true, "lim": true, "max": true, "min": true, "sup": true, "inf": true, "det": true, "dim": true, "ker": true,
	"gcd": true, "arg": true, "deg": true, "sinh": true, "cosh": true, "tanh": true, "arcsin": true, "arccos": true, "arctan": true,
}

// symbols maps characters to commands.
var symbols = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ϵ': "epsilon", 'ζ': "zeta", 'η': "eta", 'θ': "theta", 'ι': "iota",
	'κ': "kappa", 'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'π': "pi", 'ρ': "rho", 'σ': "sigma", 'τ': "tau", 'υ': "upsilon",
	'φ': "phi", 'ϕ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega", 'Γ': "Gamma", 'Δ': "Delta", 'Θ': "Theta", 'Λ': "Lambda",
	'Ξ': "Xi", 'Π': "Pi", 'Σ': "Sigma", 'Φ': "Phi", 'Ψ': "Psi", 'Ω': "Omega",
	'∞': "infty", '×': "times", '÷': "div", '±': "pm", '∓': "mp", '·': "cdot", '⋅': "cdot", '∙': "cdot", '≤': "leq", '≥': "geq", '≠': "neq",
	'≈': "approx", '≡': "equiv", '∼': "sim", '∝': "propto", '∂': "partial", '∇': "nabla", '∈': "in", '∉': "notin", '⊂': "subset",
	'⊆': "subseteq", '∪': "cup", '∩': "cap", '∀': "forall", '∃': "exists", '→': "to", '←': "leftarrow", '⇒': "Rightarrow",
	'⇔': "Leftrightarrow", '∑': "sum", '∏': "prod", '∫': "int", '∬': "iint", '∮': "oint", '√': "sqrt", '…': "ldots", '⋯': "cdots",
	'∧': "wedge", '∨': "vee", '¬': "neg", '∅': "emptyset", '°': "circ", '⊥': "perp", '⊕': "oplus", '⊗': "otimes",
}

// text writes characters of a formula.
func text(s string) string {
	var b strings.Builder
	for _, r := range s {
		r = upright(r)
		switch {
		case symbols[r] != "":
			b.WriteString(`\` + symbols[r] + " ")
		case r == '−' || r == '–':
			b.WriteByte('-')
		case r == '{' || r == '}' || r == '%' || r == '#' || r == '$':
			b.WriteString(`\` + string(r))
		case r >= 0x2061 && r <= 0x2064 || unicode.IsControl(r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// upright turns the letters of the mathematical alphabets into plain ones.
func upright(r rune) rune {
	const first, lastLetter, firstDigit, last = 0x1d400, 0x1d6a3, 0x1d7ce, 0x1d7ff
	switch {
	case r >= first && r <= lastLetter:
		at := (r - first) % 52
		if at < 26 {
			return 'A' + at
		}
		return 'a' + at - 26
	case r >= firstDigit && r <= last:
		return '0' + (r-firstDigit)%10
	case r == 0x210e:
		return 'h'
	}
	return r
}

func function(name string) string {
	name = strings.TrimSpace(name)
	if functions[name] {
		return `\` + name
	}
	return name
}

// group is s as one argument.
func group(s string) string { return "{" + strings.TrimSpace(s) + "}" }

// base is s as what an index is put on: in braces unless it is one sign.
func base(s string) string {
	if s = strings.TrimSpace(s); strings.HasPrefix(s, `\frac`) || strings.HasPrefix(s, `\sqrt`) {
		return group(s)
	}
	return s
}

// accents maps combining characters to commands.
var accents = map[string]string{
	"\u0302": `\hat`, "\u0303": `\tilde`, "\u0304": `\bar`, "\u0305": `\bar`, "\u0307": `\dot`, "\u0308": `\ddot`, "\u20d7": `\vec`, "\u030c": `\check`,
	"^": `\hat`, "~": `\tilde`, "¯": `\bar`, "→": `\vec`, "˙": `\dot`,
}

func accent(mark string) string {
	if a := accents[strings.TrimSpace(mark)]; a != "" {
		return a
	}
	return `\hat`
}

func fence(open, body, shut string) string {
	return `\left` + bracket(open) + body + `\right` + bracket(shut)
}

func bracket(s string) string {
	switch s {
	case "":
		return "."
	case "{", "}":
		return `\` + s
	}
	return s
}
