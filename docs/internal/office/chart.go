package office

import (
	"encoding/xml"
	"strings"

	"github.com/toolfacade/toolfacade/docs/document"
	"github.com/toolfacade/toolfacade/facade"
)

// series is a row of a chart's data.
type series struct {
	name   string
	labels []string
	values []string
}

// chart adds the data of a chart as a table.
func (p *pack) chart(part string) error {
	var all []series
	var title, kind string
	err := p.optional(part, func(x *document.XML) error {
		return x.Each("chart", func(xml.StartElement) error {
			return x.Children(func(e xml.StartElement) error {
				switch e.Name.Local {
				case "title":
					return x.Each("t", func(xml.StartElement) error {
						s, err := x.Text()
						title += s
						return err
					})
				case "plotArea":
					return x.Children(func(e xml.StartElement) error {
						if !strings.HasSuffix(e.Name.Local, "Chart") {
							return nil
						}
						kind = strings.TrimSuffix(e.Name.Local, "Chart")
						return x.Each("ser", func(xml.StartElement) error {
							s, err := readSeries(x)
							all = append(all, s)
							return err
						})
					})
				}
				return nil
			})
		})
	})
	if err != nil || len(all) == 0 {
		return err
	}
	return p.b.Table(p.chartTable(all), strings.TrimSpace(title+" ("+kind+" chart)"))
}

func (p *pack) chartTable(all []series) *document.Table {
	t := p.b.NewTable()
	t.Row()
	t.Cell(facade.DocumentCell{Header: true})
	rows := 0
	for _, s := range all {
		t.Cell(facade.DocumentCell{Text: s.name, Header: true})
		rows = max(rows, len(s.values))
	}
	for i := range rows {
		t.Row()
		label := ""
		for _, s := range all {
			if label == "" && i < len(s.labels) {
				label = s.labels[i]
			}
		}
		t.Cell(facade.DocumentCell{Text: label, Header: true})
		for _, s := range all {
			v := ""
			if i < len(s.values) {
				v = s.values[i]
			}
			t.Cell(facade.DocumentCell{Text: v})
		}
	}
	return t
}

func readSeries(x *document.XML) (series, error) {
	var s series
	err := x.Children(func(e xml.StartElement) error {
		var err error
		switch e.Name.Local {
		case "tx":
			var v []string
			v, err = points(x)
			s.name = strings.Join(v, " ")
		case "cat", "xVal":
			s.labels, err = points(x)
		case "val", "yVal":
			s.values, err = points(x)
		}
		return err
	})
	return s, err
}

// maxPoints bounds the points of a series.
const maxPoints = 10_000

// points reads cached values by their index.
func points(x *document.XML) ([]string, error) {
	var all []string
	err := x.Each("pt", func(e xml.StartElement) error {
		at := document.AttrInt(e, "idx", len(all))
		v, err := x.Text()
		if at < 0 || at >= maxPoints {
			return err
		}
		for len(all) <= at {
			all = append(all, "")
		}
		all[at] = strings.TrimSpace(v)
		return err
	})
	return all, err
}
