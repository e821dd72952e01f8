package fsimpl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"unicode/utf8"

	"github.com/toolfacade/toolfacade/facade"
	"github.com/toolfacade/toolfacade/fsimpl/internal/textenc"
)

// Write implements [facade.FileWriter].
func (f *Files) Write(ctx context.Context, in facade.WriteInput) (facade.WriteOutput, error) {
	if err := in.Validate(); err != nil {
		return facade.WriteOutput{}, err
	}
	sameEncoding := in.FileEncoding == "" // an append keeps the file's
	in = facade.Defaulted(in)
	t, err := f.changeable(ctx, "path", in.Path, true)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	if t.slash {
		return facade.WriteOutput{}, facade.Errorf(facade.CodeIsDirectory, "'%s' names a directory, not a file", in.Path).
			WithPath(shown(t.name)).WithHint("leave out the slash at the end, or use create for a directory")
	}
	payload, err := decodePayload(in)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	validation := f.validate(ctx, in, t.name)
	unlock, err := f.lock(ctx, t.name)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	defer unlock()
	old, err := f.before(t.name, in.IfMatch != "" || in.Append)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	data, err := newContent(in, payload, old, sameEncoding)
	if err != nil {
		return facade.WriteOutput{}, err
	}
	if err := f.fits(t.name, data); err != nil {
		return facade.WriteOutput{}, err
	}
	out := facade.WriteOutput{Path: shown(t.name), Diff: f.diff(t.name, old, data), DryRun: in.DryRun}
	if err := f.precondition(in, t.name, old); err != nil {
		return facade.WriteOutput{Path: out.Path, Diff: out.Diff}, err
	}
	fresh := hashOf(data)
	out.Created, out.Bytes, out.ETag, out.Validation = old == nil, int64(len(data)), fresh.etag(), validation
	if in.DryRun {
		return out, nil
	}
	if err := f.putOne(ctx, facade.FileWrite, t.name, old, fresh); err != nil {
		return facade.WriteOutput{}, err
	}
	return out, nil
}

// fits checks that a file stays small enough to be changed again.
func (f *Files) fits(name string, data []byte) error {
	if int64(len(data)) <= f.opts.MaxFileBytes {
		return nil
	}
	return facade.Errorf(facade.CodeTooLarge, "'%s' would have %d bytes, the limit is %d", named(name), len(data), f.opts.MaxFileBytes).
		WithPath(shown(name)).WithHint("split the content over several files")
}

// original is a file before a change.
type original struct {
	info fs.FileInfo
	data []byte
	etag string
	sum  [sha256.Size]byte // of data, when known
	// known says that data is the whole content. It is not for a large file
	// whose content no one needs.
	known bool
}

// before describes the file to change; nil when there is none. A file that is
// larger than what is held in memory is refused when its content is needed.
func (f *Files) before(name string, needed bool) (*original, error) {
	info, err := f.tree.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no file is an answer here
	}
	if err != nil {
		return nil, f.failure("read", name, err)
	}
	if err := regular(name, info); err != nil {
		return nil, err
	}
	if info.Size() > f.opts.MaxFileBytes && !needed {
		return &original{info: info}, nil
	}
	data, info, err := f.tree.readAll(name, f.opts.MaxFileBytes)
	if err != nil {
		return nil, f.failure("read", name, err)
	}
	sum := sha256.Sum256(data)
	return &original{info: info, data: data, etag: hex.EncodeToString(sum[:etagSize]), sum: sum, known: true}, nil
}

// precondition checks create_only and if_match.
func (f *Files) precondition(in facade.WriteInput, name string, old *original) error {
	if in.CreateOnly && old != nil {
		return facade.Errorf(facade.CodeAlreadyExists, "'%s' exists already", named(name)).WithPath(shown(name)).
			WithHint("choose another name, or leave out create_only to replace it")
	}
	return stale(in.IfMatch, name, old)
}

// stale reports that a file is not what the caller has seen.
func stale(ifMatch, name string, old *original) error {
	switch {
	case ifMatch == "" || old != nil && old.etag == ifMatch:
		return nil
	case old == nil:
		return facade.Errorf(facade.CodeStale, "'%s' does not exist any more", named(name)).WithPath(shown(name)).
			WithHint("leave out if_match to create it")
	}
	return facade.Errorf(facade.CodeStale, "'%s' has changed since: its etag is %s, not %s", named(name), old.etag, ifMatch).
		WithPath(shown(name)).WithHint("the diff shows what the call would change now; read the file again, or repeat with if_match=%s", old.etag)
}

// decodePayload returns the bytes or the UTF-8 text that a call carries.
func decodePayload(in facade.WriteInput) ([]byte, error) {
	if in.InputFormat != "base64" {
		return []byte(in.Content), nil
	}
	data, err := base64.StdEncoding.DecodeString(in.Content)
	if err != nil {
		data, err = base64.RawStdEncoding.DecodeString(in.Content)
	}
	if err != nil {
		return nil, facade.InvalidArgument("content", "content is not base64: %s", cause(err)).
			WithHint("send the text itself with input_format=raw_utf8")
	}
	if in.Mode != "binary" && !utf8.Valid(data) {
		return nil, facade.InvalidArgument("content", "the decoded content is not UTF-8 text").
			WithHint("use mode=binary to write bytes as they are")
	}
	return data, nil
}

// newContent returns the bytes the file will have.
func newContent(in facade.WriteInput, payload []byte, old *original, sameEncoding bool) ([]byte, error) {
	existing := []byte(nil)
	if in.Append && old != nil {
		existing = old.data
	}
	if in.Mode == "binary" {
		return append(bytes.Clone(existing), payload...), nil
	}
	enc, err := textenc.Lookup(in.FileEncoding)
	if err != nil {
		return nil, err
	}
	if d := textenc.Detect(existing); sameEncoding && len(existing) > 0 && !d.Binary {
		enc = d.Encoding
	}
	encoded, err := enc.Encode(string(payload))
	if err != nil {
		return nil, err
	}
	if len(existing) == 0 && enc.WritesBOM() {
		encoded = append(bytes.Clone(enc.BOM()), encoded...)
	}
	return append(bytes.Clone(existing), encoded...), nil
}

// putOne writes one file, with the parents it lacks.
func (f *Files) putOne(ctx context.Context, action facade.FileAction, name string, old *original, data *hashed) error {
	x := f.begin(string(action))
	if old == nil {
		if _, err := x.mkdirs(path.Dir(name)); err != nil {
			return err
		}
	}
	x.put(name, old, data)
	return f.failure("write", name, x.commit(ctx))
}

// put adds the step that gives a file its new content.
func (x *tx) put(name string, old *original, data *hashed) {
	s := &putStep{name: name, perm: 0o666, data: data}
	if old != nil {
		s.old, s.before, s.known = old.info, old.data, old.known
		if old.known {
			s.oldHash = func() []byte { return old.sum[:] }
		}
	}
	x.addPut(s)
}

// addPut adds a step that gives a file its content, with its event.
func (x *tx) addPut(s *putStep) {
	event := facade.Event{Type: facade.EventFileCreated, Path: shown(s.name)}
	if s.old != nil {
		event.Type = facade.EventFileModified
	}
	x.add(s, event, path.Dir(s.name))
}

// mode gives the file of the step added last other permissions than it would
// have; 0 leaves them.
func (x *tx) mode(perm fs.FileMode) {
	if s, ok := x.steps[len(x.steps)-1].(*putStep); ok {
		s.mode = perm
	}
}
