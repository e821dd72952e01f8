package docs

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// typed converts text to the field's type; a number may have a currency or a
// unit beside it.
func (f Field) typed(s string) (any, bool) {
	if s == "" {
		return nil, false
	}
	if len(f.Enum) > 0 {
		i := slices.IndexFunc(f.Enum, func(e string) bool { return strings.EqualFold(e, strings.TrimSpace(s)) })
		if i < 0 {
			return nil, false
		}
		return f.Enum[i], true
	}
	switch f.Type {
	case kindNumber:
		return number(s)
	case kindInteger:
		n, ok := number(s)
		if !ok || n != math.Trunc(n) || math.Abs(n) > 1<<53 {
			return nil, false
		}
		return int64(n), true
	case kindBoolean:
		switch strings.ToLower(strings.TrimSpace(s)) {
		case "true", "yes", "y", "x", "☑", "☒":
			return true, true
		case "false", "no", "n", "☐":
			return false, true
		}
		return nil, false
	}
	return s, true
}

// maxUnit is how many letters may stand beside a number: more make it a
// sentence.
const maxUnit = 40

// number reads the first number of a short text.
func number(s string) (float64, bool) {
	n, start, end, ok := numberIn(s)
	if !ok || len(s)-(end-start) > maxUnit {
		return 0, false
	}
	return n, true
}

// numberIn reads the first number of a text, with marks of thousands and the
// parentheses of accounting, and says where it is.
func numberIn(s string) (n float64, start, end int, ok bool) {
	start = strings.IndexAny(s, "0123456789")
	if start < 0 {
		return 0, 0, 0, false
	}
	end = start
	for end < len(s) && (strings.IndexByte("0123456789.,'", s[end]) >= 0 || thousandsGap(s, end)) {
		end++
	}
	digits := strings.TrimRight(s[start:end], ".,'")
	end = start + len(digits)
	digits = strings.NewReplacer("'", "", " ", "").Replace(digits)
	comma, dot := strings.LastIndexByte(digits, ','), strings.LastIndexByte(digits, '.')
	switch {
	case strings.Count(digits, ".") > 1 && comma < 0: // 1.234.567
		digits = strings.ReplaceAll(digits, ".", "")
	case comma > dot && (dot >= 0 || len(digits)-comma-1 != 3): // 1.234,50 or 12,5
		digits = strings.ReplaceAll(strings.ReplaceAll(digits, ".", ""), ",", ".")
	default:
		digits = strings.ReplaceAll(digits, ",", "")
	}
	n, err := strconv.ParseFloat(digits, 64)
	before := strings.TrimRight(s[:start], " $€£¥")
	if strings.HasSuffix(before, "-") || strings.HasSuffix(before, "−") || strings.HasSuffix(before, "(") && strings.HasPrefix(strings.TrimSpace(s[end:]), ")") {
		n = -n
	}
	return n, start, end, err == nil
}

// thousandsGap reports whether the blank at i parts thousands: three digits
// follow, and no fourth.
func thousandsGap(s string, i int) bool {
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	return s[i] == ' ' && digit(i-1) && digit(i+1) && digit(i+2) && digit(i+3) && !digit(i+4)
}
