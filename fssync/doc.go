// Package fssync is the sync tool: two directory trees, on any two file systems
// of afero's, kept alike in one direction or both.
//
//	s, err := fssync.New(source, target, &fssync.Options{State: state, StateFile: "/pair.json"})
//	…
//	defer s.Close()
//	out, err := s.Trigger(ctx, facade.SyncTriggerInput{Direction: facade.SyncBoth})
//
// # What is compared
//
// Regular files, by the hash of their content; of each the synchronizer
// remembers the content that both sides had last. What differs from that has
// changed, on one side or on both. A change on one side is copied to the
// other, a deletion too; a file that one side changed and the other deleted comes
// back. A file changed on both sides is a conflict: it is left alone on both and
// reported until one side is made like the other, or gives its version up by
// deleting it.
//
// Directories come and go with their files. Links and other special files are
// left alone, as are the names in [Options.Protected], modes that change
// without the content, and empty directories.
//
// # What is never lost
//
// A file is replaced as a whole, by a rename, after its content was read again
// and is still the one that was compared. The memory is written before the first
// change and after the last: a crash in between leaves every file in its
// old or its new version, and the next run takes what it cannot tell for a
// conflict. A side that is suddenly empty, as a disk that is not mounted, is not
// followed. What another program writes between that last look and the
// rename that follows it is not seen, because a file system has no rename that
// is conditional on content; keep editors of both sides at once to the tools,
// or synchronize while nobody writes.
package fssync
