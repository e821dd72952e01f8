package diff

import "bytes"

// window cuts off two texts what they share, but for some lines of context: a
// small change of a large file needs none of its other lines. Both windows start
// at the offset from.
func window(before, after []byte, context int) (from int, a, b []byte) {
	same := commonPrefix(before, after)
	head := bytes.LastIndexByte(before[:same], '\n') + 1
	from = head
	for range context {
		if from == 0 {
			break
		}
		from = bytes.LastIndexByte(before[:from-1], '\n') + 1
	}
	same = commonSuffix(before[head:], after[head:])
	tail := before[len(before)-same:]
	keep := 0
	for range context + 1 { // the first of them may be the end of a changed line
		n := bytes.IndexByte(tail[keep:], '\n')
		if n < 0 {
			keep = same
			break
		}
		keep += n + 1
	}
	cut := same - keep
	return from, before[from : len(before)-cut], after[from : len(after)-cut]
}

// stride is how much is compared at once.
const stride = 4 << 10

func commonPrefix(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+stride <= most && bytes.Equal(a[n:n+stride], b[n:n+stride]) {
		n += stride
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+stride <= most && bytes.Equal(a[len(a)-n-stride:len(a)-n], b[len(b)-n-stride:len(b)-n]) {
		n += stride
	}
	for n < most && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
