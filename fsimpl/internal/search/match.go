package search

// Match is a line, or with [Options.Multiline] a run of lines, that matches.
type Match struct {
	Line    int64    // number of the first line, from 1
	Column  int      // byte of the first line where the match starts, from 1
	Content string   // the line without its ending, cut around the match when long
	Match   string   // the text that matched, cut when long
	Before  []string // lines above, as many as asked for and there are
	After   []string // lines below
}

// Mode says how much to find out about a file.
type Mode uint8

// The modes. Lines collects the matches, Count only counts them, Files stops
// at the first.
const (
	Lines Mode = iota
	Count
	Files
)

// Scope says what to collect from a file.
type Scope struct {
	Mode Mode
	// Context is how many lines before and after each match are wanted.
	Context int
	// MaxMatches ends the search of a file after that many matches; 0 means
	// no limit.
	MaxMatches int
	// AfterLine leaves out matches that start on or before this line.
	AfterLine int64
	// MaxContent is where long lines are cut, in bytes; 0 means 500.
	MaxContent int
	// Detect tells the encoding of a file; nil means [DetectEncoding].
	Detect Detector
}

func (s *Scope) maxContent() int {
	if s.MaxContent > 0 {
		return max(s.MaxContent, 16)
	}
	return 500
}

// Part is some of the matches of one file, in order. A file with very many
// comes in several parts.
type Part struct {
	Matches []Match
	// Count is the number of matches of the part, also when they were not
	// collected.
	Count int
}

// Result tells how the search of a file ended.
type Result struct {
	Count  int  // matches, those handed over in parts
	Binary bool // not text, so not searched, or not to the end
	More   bool // ended by MaxMatches, or because no more was wanted
}
