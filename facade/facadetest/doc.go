// Package facadetest holds what tests of facade implementations share:
//
//   - [TestFiles], the conformance suite of the filesystem contract. An
//     implementation is correct when the suite passes, whatever its author
//     thinks; a failure quotes the rule that was broken.
//   - [FaultFs], an afero file system that fails on demand and records what was
//     asked of it.
//   - [CrashFs], an in-memory file system that knows what a power failure
//     leaves, so that a test can try every crash point of a sequence of writes.
//   - [FakeFiles] and [Events], which record calls and events.
//
// Nothing but tests imports it.
package facadetest
