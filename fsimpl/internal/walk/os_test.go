package walk_test

import "syscall"

const errNotDir = syscall.ENOTDIR
