package dfa

import (
	"strings"
	"testing"
)

// BenchmarkFind scans source code in which nothing matches.
func BenchmarkFind(b *testing.B) {
	line := "\tstatic inline int __must_check foo_bar(struct device *dev, unsigned long flags) { return -EINVAL; }\n"
	text := []byte(strings.Repeat(line+"\n\t/* A comment that ends here. */\n", 5000))
	for _, expr := range []string{`[A-Z]{3,}_[0-9]{5,}`, `\b[a-z]+\d+z\b`, `^x`, `[^ -~\s]`} {
		b.Run(expr, func(b *testing.B) {
			m := compile(b, expr)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if at := m.Find(text, 0); at >= 0 {
					b.Fatalf("found at %d", at)
				}
			}
		})
	}
}
