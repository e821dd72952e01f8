package escapetest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// links plants symbolic links.
var links = []recipe{
	{name: "link to file", path: "l-file", links: []string{"l-file -> ../outside/secret.txt"}, refuse: true},
	{name: "absolute link to file", path: "l-afile", links: []string{"l-afile -> {dir}/outside/secret.txt"}, refuse: true},
	{name: "link to dir", path: "l-dir", links: []string{"l-dir -> ../outside"}, refuse: true},
	{name: "link to dir slash", path: "l-dir1/", links: []string{"l-dir1 -> ../outside"}, refuse: true},
	{name: "link to dir dot", path: "l-dir2/.", links: []string{"l-dir2 -> ../outside"}, refuse: true},
	{name: "through link to dir", path: "l-dir3/secret.txt", links: []string{"l-dir3 -> ../outside"}, refuse: true},
	{name: "through absolute link", path: "l-adir/secret.txt", links: []string{"l-adir -> {dir}/outside"}, refuse: true},
	{name: "through link to subdir", path: "l-dir4/dir/secret.txt", links: []string{"l-dir4 -> ../outside"}, refuse: true},
	{name: "new through link", path: "l-dir5/planted.txt", links: []string{"l-dir5 -> ../outside"}, refuse: true},
	{name: "up through link", path: "l-dir6/../outside/secret.txt", links: []string{"l-dir6 -> ../outside/dir"}, refuse: true},
	{name: "link from deep", path: "sub/deep/l-deep", links: []string{"sub/deep/l-deep -> ../../../outside/secret.txt"}, refuse: true},
	{name: "link by detour", path: "l-detour", links: []string{"l-detour -> sub/../../outside/secret.txt"}, refuse: true},
	{name: "link to sibling prefix", path: "l-evil", links: []string{"l-evil -> ../root-evil/secret.txt"}, refuse: true},
	{name: "absolute link to sibling prefix", path: "l-aevil", links: []string{"l-aevil -> {root}-evil/secret.txt"}, refuse: true},
	{name: "absolute link by root", path: "l-aroot", links: []string{"l-aroot -> {root}/../outside/secret.txt"}, refuse: true},
	{name: "absolute link by detour", path: "l-adet", links: []string{"l-adet -> {dir}/outside/../root/inside.txt"}, refuse: true},
	{name: "link to parent", path: "l-parent/outside/secret.txt", links: []string{"l-parent -> .."}, refuse: true},
	{name: "link to parent and back", path: "l-back/root/inside.txt", links: []string{"l-back -> .."}, refuse: true},
	{name: "link to root then up", path: "l-self/../outside/secret.txt", links: []string{"l-self -> ."}, refuse: true},
	{name: "link to top", path: "l-top{dir}/outside/secret.txt", links: []string{"l-top -> /"}, refuse: true},
	{name: "chain", path: "l-c1", links: []string{"l-c1 -> l-c2", "l-c2 -> sub/l-c3", "sub/l-c3 -> ../../outside/secret.txt"}, refuse: true},
	{name: "chain of dirs", path: "l-d1/l-d2/secret.txt", links: []string{"l-d1 -> sub", "sub/l-d2 -> ../../outside"}, refuse: true},
	{name: "chain to absolute", path: "l-e1", links: []string{"l-e1 -> l-e2", "l-e2 -> {dir}/outside/secret.txt"}, refuse: true},
	{name: "inner absolute to outer", path: "l-g1", links: []string{"l-g1 -> {root}/l-g2", "l-g2 -> ../outside/secret.txt"}, refuse: true},
	{name: "loop", path: "l-loop1", links: []string{"l-loop1 -> l-loop2", "l-loop2 -> l-loop1"}, refuse: true},
	{name: "loop on itself", path: "l-loop3", links: []string{"l-loop3 -> l-loop3"}, refuse: true},
	{name: "loop absolute", path: "l-loop4/x", links: []string{"l-loop4 -> {root}/l-loop4"}, refuse: true},
	{name: "loop growing", path: "l-loop5", links: []string{"l-loop5 -> l-loop5/x"}, refuse: true},
	{name: "dangling", path: "l-dang", links: []string{"l-dang -> ../outside/planted.txt"}, refuse: true},
	{name: "dangling absolute", path: "l-adang", links: []string{"l-adang -> {dir}/planted.txt"}, refuse: true},
	{name: "dangling chain", path: "l-dc1", links: []string{"l-dc1 -> l-dc2", "l-dc2 -> ../planted.txt"}, refuse: true},
	{name: "dangling slash", path: "l-dang2/", links: []string{"l-dang2 -> ../planted"}, refuse: true},
	{name: "proc root link", path: "l-proot{dir}/outside/secret.txt", links: []string{"l-proot -> /proc/self/root"}, refuse: true},
	{name: "proc descriptor link", path: "l-fd/secret.txt", plant: descriptorLink("outside", "l-fd"), refuse: true},
	{name: "proc file descriptor link", path: "l-ffd", plant: descriptorLink("outside/secret.txt", "l-ffd"), refuse: true},
	{name: "50 links", path: "l-n50", plant: manyLinks(50), refuse: true},
}

// descriptorLink makes a link to an open file outside, by way of /proc.
func descriptorLink(target, name string) func(testing.TB, *World) error {
	return func(t testing.TB, w *World) error {
		f, err := os.Open(filepath.Join(w.Dir, target))
		if err != nil {
			return err
		}
		t.Cleanup(func() { f.Close() })
		return os.Symlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), filepath.Join(w.Root, name))
	}
}

// manyLinks makes a chain of links to a file inside, longer than any system
// follows.
func manyLinks(n int) func(testing.TB, *World) error {
	return func(_ testing.TB, w *World) error {
		target := "inside.txt"
		for i := 1; i <= n; i++ {
			name := fmt.Sprintf("l-n%d", i)
			if err := os.Symlink(target, filepath.Join(w.Root, name)); err != nil {
				return err
			}
			target = name
		}
		return nil
	}
}
