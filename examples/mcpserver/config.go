package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/toolfacade/toolfacade"
	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
	"github.com/toolfacade/toolfacade/pyexec"
	"github.com/toolfacade/toolfacade/sandbox"
	"github.com/toolfacade/toolfacade/termexec"
)

// errUsage reports a command line that the flag package has already explained.
var errUsage = errors.New("wrong usage")

// config is what the command line says.
type config struct {
	root, http string
	readOnly   bool
	granular   bool
	perAction  bool
	gitExtra   bool
	anyDir     bool
	sandbox    string
	index      string
	tools      []string
	content    mcphost.Content
	approve    string
	syncTarget string
	tokens     []string
	origins    []string
	// clientRoots keeps each client within the directories it names.
	clientRoots bool
}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	var tools, content, tokenFile, origins string
	flags := flag.NewFlagSet("mcpserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.root, "root", ".", "`directory` that the tools are confined to")
	flags.StringVar(&c.http, "http", "", "serve streamable HTTP on this `address`, as localhost:8080, instead of stdio")
	flags.BoolVar(&c.readOnly, "read-only", false, "leave out every action that changes something")
	flags.StringVar(&tools, "tools", "", "serve only these tools, a comma-separated `list`; the default is all")
	flags.BoolVar(&c.granular, "granular", false, "serve one tool per action, named <tool>_<action>")
	flags.BoolVar(&c.perAction, "per-action", false, "serve tools as read_file, write_file and run_command instead")
	flags.StringVar(&c.sandbox, "sandbox", "auto", "what contains code that python and terminal run: auto, none, namespaces or bubblewrap")
	flags.StringVar(&c.index, "index", "", "`file` of the document tool's index, outside of the root; memory keeps it in memory; "+
		"the default is one for each root in the user's cache")
	flags.BoolVar(&c.gitExtra, "git-extra", false, "let git show, blame, list branches, switch, stash, and list conflicts and remotes too")
	flags.BoolVar(&c.anyDir, "file-remotes", false, "let git fetch from, pull from and push to directories outside the root, where a remote's address names one")
	flags.StringVar(&content, "content", "structured", "where replies carry their payload: structured, text or envelope; "+
		"text for clients that show the model text blocks only")
	flags.StringVar(&c.approve, "approve", approveNone, "actions that write, execute or destroy: none lets them run, ask has the user "+
		"agree to each, deny refuses them")
	flags.StringVar(&c.syncTarget, "sync-target", "", "add the sync tool, which keeps the root and this `directory` alike")
	flags.StringVar(&tokenFile, "token-file", "", "let in over HTTP only clients with one of the bearer tokens in this `file`, one a line")
	flags.StringVar(&origins, "origins", "", "let web pages of these origins call over HTTP, a comma-separated `list` as https://app.example")
	flags.BoolVar(&c.clientRoots, "client-roots", false, "keep each client within the directories that it names as its roots")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return c, err
	} else if err != nil {
		return c, errUsage
	}
	if flags.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q: the directory is given with -root", flags.Arg(0))
	}
	switch content {
	case "structured":
		c.content = mcphost.ContentStructured
	case "text":
		c.content = mcphost.ContentText
	case "envelope":
		c.content = mcphost.ContentEnvelope
	default:
		return c, fmt.Errorf("-content is %q: it must be structured, text or envelope", content)
	}
	if !slices.Contains([]string{approveNone, approveAsk, approveDeny}, c.approve) {
		return c, fmt.Errorf("-approve is %q: it must be none, ask or deny", c.approve)
	}
	c.tools, c.origins = words(tools, ","), words(origins, ",")
	return c, c.readTokens(tokenFile)
}

// words splits a list and leaves out what is empty.
func words(list, separator string) []string {
	var found []string
	for w := range strings.SplitSeq(list, separator) {
		if w = strings.TrimSpace(w); w != "" {
			found = append(found, w)
		}
	}
	return found
}

// minToken is how long a token must be to be no guess.
const minToken = 16

func (c *config) readTokens(file string) error {
	if file == "" {
		return nil
	}
	if c.http == "" {
		return errors.New("-token-file is for -http: over stdio the client has started the server itself")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("-token-file: %w", err)
	}
	c.tokens = words(string(text), "\n")
	if len(c.tokens) == 0 {
		return fmt.Errorf("-token-file: %s holds no token", file)
	}
	for i, t := range c.tokens {
		if len(t) < minToken || strings.ContainsAny(t, " \t") {
			return fmt.Errorf("-token-file: token %d of %s has less than %d characters, or a blank in it", i+1, file, minToken)
		}
	}
	return nil
}

// programs are the options of the tools that run programs. By default they run
// in the best sandbox that works, and fail, with the reason, where none does.
func (c config) programs(ctx context.Context) (*pyexec.Options, *termexec.Options, error) {
	var python pyexec.Options
	var terminal termexec.Options
	if c.sandbox != "auto" {
		box, err := sandbox.Named(ctx, c.sandbox)
		if err != nil {
			return nil, nil, fmt.Errorf("-sandbox: %w", err)
		}
		python.Sandbox, terminal.Sandbox = box, box
	}
	return &python, &terminal, nil
}

// sync is the other directory, if there is one.
func (c config) sync() *toolfacade.SyncOptions {
	if c.syncTarget == "" {
		return nil
	}
	return &toolfacade.SyncOptions{Target: c.syncTarget}
}

// view cuts the tools as the command line says.
func (c config) view(set *facade.Set) (*facade.Set, error) {
	var names []string
	for _, t := range set.Tools() {
		names = append(names, t.Name())
	}
	for _, name := range c.tools {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("-tools: there is no tool %q; valid tools: %s", name, strings.Join(names, ", "))
		}
	}
	if len(c.tools) > 0 {
		set = set.View(facade.Allow(c.tools...))
	}
	if c.perAction {
		set = set.View(toolfacade.PerAction)
	}
	if c.granular {
		set = set.View(facade.Granular)
	}
	return set, nil
}

// version is that of the module the program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
