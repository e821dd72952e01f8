// Package facadetest holds what tests of facade implementations share:
//
//   - [TestFiles], the conformance suite of the filesystem contract. An
//     implementation is correct when the suite passes, whatever its author
//     thinks; a failure quotes the rule that was broken.
//   - [TestPython], [TestTerminal] and [TestTaskStore], the same for tools that
//     run programs and for what keeps their background tasks.
//   - [TestDocument], the same for the document contract.
//   - [FaultFs], an afero file system that fails on demand and records what was
//     asked of it.
//   - [CrashFs], an in-memory file system that knows what a power failure
//     leaves, so that a test can try every crash point of a sequence of writes.
//   - [FakeFiles] and [Events], which record calls and events.
//
// The test of an implementation is one call:
//
//	func TestConformance(t *testing.T) {
//		facadetest.TestFiles(t, facadetest.FilesHarness{New: func(t testing.TB) *facadetest.FilesFixture {
//			dir := t.TempDir()
//			files, err := fsimpl.Open(dir, nil)
//			if err != nil {
//				t.Fatal(err)
//			}
//			return &facadetest.FilesFixture{
//				Tools: files, Store: facadetest.NewDirStore(dir), HostPath: dir, Confined: true,
//			}
//		}})
//	}
//
// And every crash point of a write is one loop:
//
//	disk := facadetest.NewCrashFs()
//	… prepare …
//	disk.Settle()
//	… write through disk …
//	for at, image := range disk.Crashes(20) {
//		… open image again; at.Name says which crash it is …
//	}
//
// Nothing but tests imports it.
package facadetest
