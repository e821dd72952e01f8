package mcphost_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/toolfacade/toolfacade/facade"
	mcphost "github.com/toolfacade/toolfacade/host/mcp"
)

// Register is the whole adapter. A program serves its client by
// server.Run(ctx, &mcphost.Stdio{Reader: os.Stdin, Writer: os.Stdout}); here the
// client is in the same process.
func ExampleRegister() {
	type room struct {
		Room string `json:"room"`
	}
	dark := func(_ context.Context, in room) (struct{}, error) {
		if in.Room != "attic" {
			return struct{}{}, facade.Errorf(facade.CodeNotFound, "no room '%s'", in.Room).WithHint("there is: attic")
		}
		return struct{}{}, nil
	}
	lamps := facade.New("lamps", "Control the lamps.", facade.Bind("off", facade.EffectWrite, "Turn a lamp off.", dark))
	set := facade.NewSet([]*facade.Tool{lamps}, nil) // or the set of toolfacade.Open
	defer set.Close()

	server := mcp.NewServer(&mcp.Implementation{Name: "lamps", Version: "1"}, nil)
	if err := mcphost.Register(server, set, &mcphost.Options{Content: mcphost.ContentText}); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	for _, args := range []string{`{"action":"off","room":"attic"}`, `{"action":"off","room":"cellar"}`} {
		r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "lamps", Arguments: json.RawMessage(args)})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.IsError, r.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// false {}
	// true error (not_found): no room 'cellar'
	// hint: there is: attic
}
