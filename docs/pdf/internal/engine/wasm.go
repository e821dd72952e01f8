package engine

import (
	_ "unsafe" // for go:linkname

	_ "github.com/klippa-app/go-pdfium/webassembly" // holds the module
)

// pdfium is the module that go-pdfium embeds. Its package has no accessor, and
// its own runtime cannot interrupt a page at a bearable price, see the guard
// package; a copy in this repository would be a binary that nobody can review.
// The version is pinned, and a test fails when the name is gone.
//
//go:linkname pdfium github.com/klippa-app/go-pdfium/webassembly.pdfiumWasm
var pdfium []byte
