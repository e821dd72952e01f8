package office

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// builtin are the number formats that a file need not spell out.
var builtin = map[string]string{
	"1": "0", "2": "0.00", "3": "#,##0", "4": "#,##0.00", "9": "0%", "10": "0.00%",
	"14": "yyyy-mm-dd", "15": "d-mmm-yy", "16": "d-mmm", "17": "mmm-yy", "18": "h:mm AM/PM", "19": "h:mm:ss AM/PM",
	"20": "h:mm", "21": "h:mm:ss", "22": "yyyy-mm-dd h:mm", "37": "#,##0", "38": "#,##0", "39": "#,##0.00", "40": "#,##0.00",
	"45": "mm:ss", "46": "[h]:mm:ss", "47": "mm:ss",
}

// formatted shows a number by its format: dates and times in ISO 8601,
// percentages, and decimals; the value behind it keeps its precision.
func formatted(f float64, code string, since04 bool) facade.DocumentCell {
	plain := general(f)
	c := facade.DocumentCell{Text: plain, Value: f}
	code, _, _ = strings.Cut(code, ";")
	bare := unquoted(code)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return facade.DocumentCell{Text: plain}
	case isDate(bare):
		return dated(f, bare, since04)
	case strings.Contains(bare, "%"):
		c.Text = rounded(f*100, decimals(bare)) + "%"
	case strings.Contains(bare, "e+") || strings.Contains(bare, "e-"):
		c.Text = strconv.FormatFloat(f, 'E', decimals(bare), 64)
	case strings.ContainsAny(bare, "0#") && !strings.Contains(bare, "/") && math.Abs(f) < 1e15:
		c.Text = within(code, fixed(f, bare))
	case strings.TrimSpace(bare) == "general":
		c.Text = within(code, plain)
	}
	return c
}

// general shows a number without a format: with 15 digits, as spreadsheets do,
// which hides the errors of binary fractions.
func general(f float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	if err != nil {
		short = f
	}
	if math.Abs(f) >= 1e15 || f != 0 && math.Abs(f) < 1e-9 {
		return strconv.FormatFloat(short, 'g', -1, 64)
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// rounded shows a number with n decimals; halves are rounded away from zero, as
// seen with 15 digits.
func rounded(f float64, n int) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	scale := math.Pow10(n)
	if scaled := short * scale; err == nil && math.Abs(scaled) < 1e15 {
		f = math.Round(scaled) / scale
	}
	return strconv.FormatFloat(f, 'f', n, 64)
}

// fixed shows a number with the decimals and the marks of thousands of a
// format. Decimals written as # are left out when they are zero.
func fixed(f float64, bare string) string {
	text := rounded(f, decimals(bare))
	_, after, _ := strings.Cut(bare, ".")
	for needed := strings.Count(after, "0"); strings.HasSuffix(text, "0") && len(text)-strings.IndexByte(text+".", '.')-1 > needed; {
		text = text[:len(text)-1]
	}
	text = strings.TrimSuffix(text, ".")
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	text = padded(text, bare)
	if !strings.Contains(bare, "#,#") && !strings.Contains(bare, "0,0") && !strings.Contains(bare, "#,0") {
		return text
	}
	whole, rest, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for n := len(whole) - 3; n > 0; n -= 3 {
		whole = whole[:n] + "," + whole[n:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return sign + whole
}

// padded puts zeros in front of a number up to the digits that a format insists
// on, as in the code of a town.
func padded(text, bare string) string {
	whole, _, _ := strings.Cut(bare, ".")
	digits := strings.Count(whole, "0") + strings.Count(whole, "#")
	if first := strings.IndexByte(whole, '0'); first >= 0 {
		digits -= strings.Count(whole[:first], "#")
	} else {
		digits = 0
	}
	sign, number := "", text
	if strings.HasPrefix(text, "-") {
		sign, number = "-", text[1:]
	}
	have, _, _ := strings.Cut(number, ".")
	return sign + strings.Repeat("0", max(0, min(digits, 255)-len(have))) + number
}

// within puts a number between the literal texts of a format: a currency, a
// unit, brackets. A sign stays in front of all.
func within(code, number string) string {
	front, back := literals(code)
	if strings.HasPrefix(number, "-") && front != "" {
		return "-" + front + number[1:] + back
	}
	return front + number + back
}

// literals returns the texts in front of the digits of a format and behind them.
func literals(code string) (front, back string) {
	var b strings.Builder
	digits, quoted := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
			b.WriteByte(c)
		case c == '\\' && i+1 < len(code):
			i++
			b.WriteByte(code[i])
		case c == '_' || c == '*': // a space as wide as the next character, or filled with it
			i++
		case c == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				return front, strings.TrimSpace(b.String())
			}
			if currency, ok := strings.CutPrefix(code[i+1:i+end], "$"); ok {
				currency, _, _ = strings.Cut(currency, "-")
				b.WriteString(currency)
			}
			i += end
		case strings.IndexByte("0#?.,", c) >= 0, strings.HasPrefix(strings.ToLower(code[i:]), "general"):
			if !digits {
				front = b.String()
			}
			digits = true
			b.Reset()
			if c == 'g' || c == 'G' {
				i += len("general") - 1
			}
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimLeft(front, " "), strings.TrimRight(b.String(), " ")
}

func decimals(code string) int {
	_, after, ok := strings.Cut(code, ".")
	if !ok {
		return 0
	}
	return min(len(after)-len(strings.TrimLeft(after, "0#")), 15)
}

// unquoted drops literal text, colors and locales from a format.
func unquoted(code string) string {
	var b strings.Builder
	quoted, bracket := false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\\' || c == '_' || c == '*':
			i++
		case c == '[':
			rest := strings.ToLower(code[i:])
			bracket = !strings.HasPrefix(rest, "[h") && !strings.HasPrefix(rest, "[m") && !strings.HasPrefix(rest, "[s")
		case c == ']':
			bracket = false
		case !bracket:
			b.WriteByte(c)
		}
	}
	return strings.ToLower(b.String())
}

func isDate(bare string) bool {
	return strings.ContainsAny(bare, "ydhs") && !strings.ContainsAny(bare, "#0") ||
		strings.Contains(bare, "mmm") || strings.Contains(bare, "mm:ss")
}

// lastDay is the serial number of 9999-12-31.
const lastDay = 2958466

// dated shows a serial number of days as a date, a time or both.
func dated(f float64, bare string, since04 bool) facade.DocumentCell {
	if f < 0 || f >= lastDay {
		return facade.DocumentCell{Text: strconv.FormatFloat(f, 'f', -1, 64), Value: f}
	}
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case since04:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case f < 60: // the format counts a 29th of February 1900
		start = start.AddDate(0, 0, 1)
	}
	days, part := math.Modf(f)
	t := start.AddDate(0, 0, int(days)).Add(time.Duration(math.Round(part*86400)) * time.Second)
	hasDate, hasTime := strings.ContainsAny(bare, "yd") || strings.Contains(bare, "mmm"), strings.ContainsAny(bare, "hs")
	switch {
	case hasDate && hasTime:
		return facade.DocumentCell{Text: t.Format("2006-01-02 15:04:05"), Value: t}
	case hasDate:
		return facade.DocumentCell{Text: t.Format("2006-01-02"), Value: t}
	}
	if days > 0 { // a duration
		seconds := int64(math.Round(f * 86400))
		return facade.DocumentCell{Text: strconv.FormatInt(seconds/3600, 10) + t.Format(":04:05"), Value: f}
	}
	return facade.DocumentCell{Text: t.Format("15:04:05"), Value: f}
}
