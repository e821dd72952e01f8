// Package pyexec is the python tool: code and scripts run by a Python
// interpreter below a root, in a sandbox, at once or in the background.
//
// # Results
//
// Beside what it prints a program has two ways to give something back, in
// every kind of run on this machine. Files are kept below the root in
// .toolfacade/artifacts.
//
//   - Files that it writes to the directory that PYTHON_ARTIFACTS names, at most
//     64 of up to 64 MiB. Images in PNG, JPEG, GIF and WebP are shown too.
//     Figures of matplotlib that are open at the end are saved there.
//   - Values that it hands to display(value, ...), at most 64. Numbers, lists
//     and dictionaries become JSON; other values say how they look as they do in
//     notebooks (_repr_html_, _repr_png_, _repr_mimebundle_ and so on), and
//     display(value, mime="text/csv") names the media type. Values up to 8 KiB
//     are in the reply; longer ones, images and all that is no text become
//     artifacts.
//
// display appends a line to the file that PYTHON_RESULTS names: a JSON object of
// media types and values, as {"application/json": [1, 2]}, with what is no
// text in base64. Any program of the run may do the same. Lines that have
// another form are counted in a note, and change nothing else.
//
// # Dependencies
//
// A program that declares dependencies in a block "# /// script" (PEP 723, in
// the first 16 MiB of a file) is run by uv, inside the same sandbox and within
// the same limits. It is never run without them: where uv is missing the call
// fails as unavailable, and where uv cannot provide them the task ends as
// start_failed. uv keeps its cache below the root in .toolfacade/uv, takes
// interpreters that are installed, and has the network that programs have: in a
// sandbox none, unless the host allows it, so that only what the cache holds
// can be used.
package pyexec
