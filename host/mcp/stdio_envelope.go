package mcphost

import (
	"bytes"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxNesting is how deep a message may nest, as in the SDK's decoder.
const maxNesting = 1000

// request returns the request in an object of valid JSON, if it is written as
// nearly all are: each member once, no escapes in names, method and identifier.
// The SDK's decoder, which takes 64 KiB of memory for a message of any size, is
// left with the others.
func request(data []byte) (*jsonrpc.Request, bool) {
	var version, id, method, params []byte
	for at := 1; ; {
		at += blanks(data[at:])
		if data[at] == '}' {
			break
		}
		name, ok := plain(data[at:])
		if !ok {
			return nil, false
		}
		at += len(name) + 2
		at += blanks(data[at:]) + 1 // the colon
		at += blanks(data[at:])
		n := extent(data[at:])
		if n == 0 {
			return nil, false
		}
		value := data[at : at+n]
		var to *[]byte
		switch string(name) {
		case "jsonrpc":
			to = &version
		case "id":
			to = &id
		case "method":
			to = &method
		case "params":
			to = &params
		}
		if to == nil || *to != nil {
			return nil, false
		}
		*to = value
		at += n
		if at += blanks(data[at:]); data[at] == ',' {
			at++
		}
	}
	name, ok := plain(method)
	if !ok || string(version) != `"2.0"` {
		return nil, false
	}
	req := &jsonrpc.Request{Method: string(name), Params: bytes.Clone(params)}
	if id == nil {
		return req, true
	}
	req.ID, ok = identified(id)
	return req, ok
}

// identified returns the identifier that a value is, if it is a plain one.
func identified(raw []byte) (jsonrpc.ID, bool) {
	var value any
	if text, ok := plain(raw); ok {
		value = string(text)
	} else {
		n, err := strconv.ParseInt(string(raw), 10, 64)
		if err != nil || len(raw) > maxSafeDigits {
			return jsonrpc.ID{}, false
		}
		value = float64(n)
	}
	id, err := jsonrpc.MakeID(value)
	return id, err == nil && id.IsValid()
}

// plain returns what is between the quotes of the string that data starts with,
// if all of it is printable ASCII without escapes.
func plain(data []byte) ([]byte, bool) {
	if len(data) == 0 || data[0] != '"' {
		return nil, false
	}
	for i, b := range data[1:] {
		switch {
		case b == '"':
			return data[1 : i+1], true
		case b == '\\' || b < ' ' || b > '~':
			return nil, false
		}
	}
	return nil, false
}

// blanks counts the white space that data starts with.
func blanks(data []byte) int {
	for i, b := range data {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return i
		}
	}
	return len(data)
}

// extent is the length of the value that data starts with, in valid JSON; 0 when
// it nests too deep.
func extent(data []byte) int {
	depth := 1 // that of the message
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i += text(data[i:]) - 1
		case '{', '[':
			if depth++; depth > maxNesting {
				return 0
			}
			continue
		case '}', ']':
			if depth == 1 {
				return i // after a number or a word
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 1 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 1 {
			return i + 1
		}
	}
	return len(data)
}

// text is the length of the string that data starts with, with its quotes.
func text(data []byte) int {
	for at := 1; ; {
		end := at + bytes.IndexByte(data[at:], '"')
		escape := bytes.IndexByte(data[at:end], '\\')
		if escape < 0 {
			return end + 1
		}
		at += escape + 2
	}
}
