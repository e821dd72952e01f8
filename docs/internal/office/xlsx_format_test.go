package office

import "testing"

func TestFormatted(t *testing.T) {
	for _, tt := range []struct {
		code  string
		value float64
		want  string
	}{
		{"0", 3.5, "4"},
		{"0.00", -0.001, "0.00"},
		{"#,##0.0#", 1234567.5, "1,234,567.5"},
		{"00000", 1234, "01234"},
		{"00000", -7, "-00007"},
		{"#,000", 5, "005"},
		{`\1\.0#`, 1, "1.01"},
		{`"$"#,##0.00`, -1234.5, "-$1,234.50"},
		{`[$€-407] #,##0`, 1000, "€ 1,000"},
		{`#,##0 "km"`, 1200, "1,200 km"},
		{`#,##0_);(#,##0)`, 12, "12"},
		{`General" kg"`, 2.5, "2.5 kg"},
		{`[Red]0.0`, 1, "1.0"},
		{`0"%"`, 12, "12%"},
		{`[$`, 1, "1"},
		{`"unfinished 0`, 1, "1"},
		{"@", 1, "1"},
		{"yyyy-mm-dd", 45292, "2024-01-01"},
	} {
		if got := formatted(tt.value, tt.code, false).Text; got != tt.want {
			t.Errorf("%v by %s is %q, want %q", tt.value, tt.code, got, tt.want)
		}
	}
}
