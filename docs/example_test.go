package docs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/spf13/afero"

	"github.com/toolfacade/toolfacade/docs"
	"github.com/toolfacade/toolfacade/facade"
)

// Documents are read as Markdown, indexed and searched. Formats beside the
// built-in ones, as PDF, and indexes in files or databases are given in the
// options.
func ExampleNew() {
	fsys := afero.NewMemMapFs()
	page := "<html><head><title>Offer</title></head><body><h1>Offer</h1>" +
		"<table><tr><th>Item</th><th>Price</th></tr><tr><td>Bicycle</td><td>420</td></tr></table></body></html>"
	if err := afero.WriteFile(fsys, "/offer.html", []byte(page), 0o600); err != nil {
		log.Fatal(err)
	}
	documents, err := docs.New(fsys, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer documents.Close()

	ctx := context.Background()
	read, err := documents.Read(ctx, facade.DocumentReadInput{Path: "offer.html"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Content)

	if _, err := documents.Index(ctx, facade.DocumentIndexInput{Path: "."}); err != nil {
		log.Fatal(err)
	}
	found, err := documents.Search(ctx, facade.DocumentSearchInput{Query: "bicycle"})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Hits {
		fmt.Println(hit.Path, hit.Heading)
	}
	// Output:
	// # Offer
	//
	// | Item | Price |
	// | --- | --- |
	// | Bicycle | 420 |
	// offer.html Offer
}
