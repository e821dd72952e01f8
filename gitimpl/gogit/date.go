package gogit

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/toolfacade/toolfacade/facade"
)

// ago matches "2 weeks ago" and "2.weeks".
var ago = regexp.MustCompile(`^(\d{1,6}|an?|one|last)[ .](second|minute|hour|day|week|month|year)s?([ .]ago)?$`)

var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly, time.RFC1123Z,
}

// date reads the forms of dates that this implementation knows. A day without
// a time means this time of the day, as for git.
func date(field, text string, now time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	for _, layout := range layouts {
		t, err := time.ParseInLocation(layout, text, now.Location())
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = time.Date(t.Year(), t.Month(), t.Day(), now.Hour(), now.Minute(), now.Second(), 0, now.Location())
		}
		return t, nil
	}
	lower := strings.ToLower(text)
	switch lower {
	case "now", "today":
		return now, nil
	case "yesterday":
		return now.AddDate(0, 0, -1), nil
	}
	if m := ago.FindStringSubmatch(lower); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = 1
		}
		return before(now, n, m[2]), nil
	}
	return time.Time{}, facade.InvalidArgument(field, "'%s' is not a date", text).
		WithHint("write it as 2026-01-31, 2026-01-31T15:04:05Z or '2 weeks ago'")
}

func before(now time.Time, n int, unit string) time.Time {
	const daysOfWeek = 7
	switch unit {
	case "second":
		return now.Add(-time.Duration(n) * time.Second)
	case "minute":
		return now.Add(-time.Duration(n) * time.Minute)
	case "hour":
		return now.Add(-time.Duration(n) * time.Hour)
	case "day":
		return now.AddDate(0, 0, -n)
	case "week":
		return now.AddDate(0, 0, -daysOfWeek*n)
	case "month":
		return now.AddDate(0, -n, 0)
	}
	return now.AddDate(-n, 0, 0)
}
