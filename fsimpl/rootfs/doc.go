// Package rootfs confines an [afero.Fs] to one directory.
//
// [Open] takes a directory and returns an [FS]. Whatever name its methods are
// given, and whatever other processes do to the tree meanwhile, nothing
// outside that directory is read, named, created, changed or removed. The
// package never checks a path and then uses it: each operation reaches its
// file through a handle on the directory, on Linux with openat2(2), elsewhere
// with [os.Root].
//
// # Names
//
// A name is '/'-separated and relative to the root; the root itself is ".".
// A name need not be UTF-8. The empty name, a NUL byte, an absolute name and a
// name of more than [Options.MaxPath] bytes are refused. ".." means what the
// operating system means by it, the parent of the directory that the name has
// led to, and is refused where it would leave the root. A trailing slash asks
// for a directory: with it, the name of a file gives ENOTDIR.
//
// # Symbolic links
//
// A link is followed when all of its way stays below the root. This holds for
// relative links and for absolute ones that start with the root's own host
// path, which are resolved by hand, 40 at most, against the root's handle.
// Removing, renaming and creating work on the link itself.
//
// # What may be opened
//
// Regular files and directories. A FIFO, device or socket is refused without
// waiting for its other end; Stat and Lstat do describe it. A file on another
// mount below the root, bind mounts included, is outside.
//
// # Hard links
//
// No path tells whether a file has another name outside the root. A file with
// more than one hard link may be read, renamed and removed, but not opened for
// writing and not given other attributes: replace it with a new file by
// [FS.CreateTemp] and [FS.Rename], which leaves the other names as they were.
// [Options.StrictHardLinks] refuses reading too. Whoever can make hard links
// while a file is open for writing is not kept from it.
//
// # Errors
//
// Failures are *[fs.PathError] or *[os.LinkError] with the name as it was
// given, never with the host's path of the root. Their causes match both the
// errors of package syscall with [errors.Is] and the codes of package facade
// with [facade.CodeOf].
package rootfs
