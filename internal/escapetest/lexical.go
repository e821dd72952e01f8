package escapetest

import "strings"

// lexical needs nothing planted: the path alone is the attack.
var lexical = []recipe{
	// Up and away.
	{name: "dotdot", path: "../outside/secret.txt", refuse: true},
	{name: "dotdot dir", path: "../outside", refuse: true},
	{name: "dotdot parent", path: "..", refuse: true},
	{name: "dotdot parent slash", path: "../", refuse: true},
	{name: "dotdot parent dot", path: "../.", refuse: true},
	{name: "dotdot after sub", path: "sub/../../outside/secret.txt", refuse: true},
	{name: "dotdot after deep", path: "sub/deep/../../../outside/secret.txt", refuse: true},
	{name: "dotdot only after sub", path: "sub/../..", refuse: true},
	{name: "dotdot after dot", path: "./../outside/secret.txt", refuse: true},
	{name: "dotdot double slashes", path: ".//..//outside//secret.txt", refuse: true},
	{name: "dotdot after file", path: "inside.txt/../../outside/secret.txt", refuse: true},
	{name: "dotdot after missing", path: "missing/../../outside/secret.txt", refuse: true},
	{name: "dotdot to the top", path: "{back}{dir}/outside/secret.txt", refuse: true},
	{name: "out and back", path: "../root/inside.txt", refuse: true},
	{name: "out, back and out", path: "../root/../outside/secret.txt", refuse: true},
	{name: "sibling prefix", path: "../root-evil/secret.txt", refuse: true},
	{name: "sibling prefix dir", path: "../root-evil", refuse: true},
	{name: "new outside", path: "../planted.txt", refuse: true},
	{name: "new in outside", path: "../outside/planted.txt", refuse: true},
	{name: "dotdot 5000 bytes", path: strings.Repeat("../", 1660) + "outside/secret.txt", refuse: true},
	{name: "in and out 4000 bytes", path: strings.Repeat("sub/../", 560) + "../outside/secret.txt", refuse: true},

	// Absolute.
	{name: "absolute", path: "{dir}/outside/secret.txt", refuse: true},
	{name: "absolute dir", path: "{dir}/outside", refuse: true},
	{name: "absolute through root", path: "{root}/../outside/secret.txt", refuse: true},
	{name: "absolute sibling prefix", path: "{root}-evil/secret.txt", refuse: true},
	{name: "absolute two slashes", path: "/{dir}/outside/secret.txt", refuse: true},
	{name: "absolute dotdot", path: "/..{dir}/outside/secret.txt", refuse: true},
	{name: "absolute new", path: "{dir}/planted.txt", refuse: true},
	{name: "proc root", path: "/proc/self/root{dir}/outside/secret.txt", refuse: true},
	{name: "proc cwd", path: "/proc/self/cwd/{back}{dir}/outside/secret.txt", refuse: true},
	{name: "file url", path: "file://{dir}/outside/secret.txt", refuse: true},

	// The same in disguise.
	{name: "backslash", path: `..\outside\secret.txt`, refuse: true},
	{name: "backslash after sub", path: `sub\..\..\outside\secret.txt`, refuse: true},
	{name: "mixed slashes", path: `sub/..\../outside/secret.txt`, refuse: true},
	{name: "drive", path: `C:\outside\secret.txt`, refuse: true},
	{name: "drive relative", path: `C:../outside/secret.txt`, refuse: true},
	{name: "verbatim prefix", path: `\\?\C:\outside`, refuse: true},
	{name: "network share", path: `\\host\share\secret.txt`, refuse: true},
	{name: "stream", path: "inside.txt::$DATA", refuse: true},
	{name: "home", path: "~", refuse: true},
	{name: "home file", path: "~/../outside/secret.txt", refuse: true},
	{name: "variable", path: "$HOME/../../outside/secret.txt", refuse: true},
	{name: "percent", path: "%2e%2e/outside/secret.txt", refuse: true},
	{name: "percent slash", path: "..%2foutside%2fsecret.txt", refuse: true},
	{name: "percent twice", path: "%252e%252e/outside/secret.txt", refuse: true},
	{name: "overlong dots", path: "\xc0\xae\xc0\xae/outside/secret.txt", refuse: true},
	{name: "overlong slash", path: "..\xc0\xafoutside\xc0\xafsecret.txt", refuse: true},
	{name: "fullwidth dots", path: "．．/outside/secret.txt", refuse: true},
	{name: "fullwidth slash", path: "..／outside／secret.txt", refuse: true},
	{name: "two dot leader", path: "‥/outside/secret.txt", refuse: true},
	{name: "dots with blank", path: ".. /outside/secret.txt", refuse: true},
	{name: "dots with joiner", path: ".\u200d./outside/secret.txt", refuse: true},
	{name: "three dots", path: ".../outside/secret.txt", refuse: true},
	{name: "four dots two slashes", path: "....//....//outside/secret.txt", refuse: true},
	{name: "dots with semicolon", path: "..;/outside/secret.txt", refuse: true},
	{name: "case", path: "../OUTSIDE/secret.txt", refuse: true},
	{name: "newline", path: "\n../outside/secret.txt", refuse: true},

	// NUL.
	{name: "NUL after dots", path: "..\x00/outside/secret.txt", refuse: true},
	{name: "NUL at the end", path: "../outside/secret.txt\x00", refuse: true},
	{name: "NUL before suffix", path: "inside.txt\x00.png", refuse: true},

	// Length and depth.
	{name: "name of 256 bytes", path: strings.Repeat("n", 256), refuse: true},
	{name: "path of 4096 bytes", path: strings.Repeat("n/", 2047) + "nn", refuse: true},
	{name: "path of 5000 bytes", path: strings.Repeat("n/", 2500), refuse: true},
	{name: "path of 100 KB", path: strings.Repeat("../", 33000), refuse: true},

	// The root itself, which may be opened but not lost.
	{name: "empty", path: "", refuse: true},
	{name: "dot", path: "."},
	{name: "dot slash", path: "./"},
	{name: "dots", path: "./."},
	{name: "slash", path: "/"},
	{name: "slashes", path: "//"},
	{name: "sub dotdot", path: "sub/.."},
	{name: "sub dotdot slash", path: "sub/../"},
	{name: "sub dotdot dot", path: "sub/deep/../../."},
	{name: "absolute root", path: "{root}"},
	{name: "absolute inside", path: "{root}/inside.txt"},

	// A file asked for as a directory.
	{name: "file slash", path: "inside.txt/", refuse: true},
	{name: "file dot", path: "inside.txt/.", refuse: true},
	{name: "file dotdot", path: "inside.txt/..", refuse: true},
	{name: "below a file", path: "inside.txt/x", refuse: true},
}
