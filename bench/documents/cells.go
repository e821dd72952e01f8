package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// cells compares the spreadsheets of a directory with excelize, cell by cell.
func cells(ctx context.Context, o options) error {
	same, all, err := alikeCells(ctx, o)
	fmt.Printf("cells as excelize has them: %d of %d, %.4f\n", same, all, float64(same)/float64(max(all, 1)))
	return err
}

// alikeCells counts the cells of all spreadsheets below a directory, and those
// that are alike.
func alikeCells(ctx context.Context, o options) (same, all int, err error) {
	r, _, err := newReader(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer r.close() //nolint:errcheck // the program ends
	err = filepath.WalkDir(o.cells, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".xlsx" && filepath.Ext(path) != ".xlsm" {
			return err
		}
		s, n, err := sameCells(ctx, r, path, o.each)
		if err != nil {
			fmt.Printf("%-50s %v\n", filepath.Base(path), err)
			return nil
		}
		same, all = same+s, all+n
		fmt.Printf("%-50s %d of %d cells\n", filepath.Base(path), s, n)
		return nil
	})
	return same, all, err
}

// sameCells counts the cells of a spreadsheet that excelize shows, and those
// of them that the tool reads in the same sheet: with the same text, or with
// the same value, since the tool shows dates as ISO 8601 in any format.
func sameCells(ctx context.Context, r *reader, path string, each bool) (same, all int, err error) {
	got, err := r.read(ctx, path)
	if err != nil {
		return 0, 0, err
	}
	ours := map[string]map[string]int{}
	for _, t := range got.tables {
		name := ""
		if len(t.Prov) > 0 {
			name = t.Prov[0].Sheet
		}
		if ours[name] == nil {
			ours[name] = map[string]int{}
		}
		for _, c := range t.Cells {
			ours[name][squeezed(c.Text)]++
			if date, ok := c.Value.(time.Time); ok {
				ours[name][date.Format(time.RFC3339)]++
			}
		}
	}
	f, err := excelize.OpenFile(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close() //nolint:errcheck // it has only been read
	for _, name := range f.GetSheetList() {
		if visible, err := f.GetSheetVisible(name); err != nil || !visible {
			continue // hidden sheets are in blocks, not in the text
		}
		rows, err := f.GetRows(name)
		raw, rawErr := f.GetRows(name, excelize.Options{RawCellValue: true})
		if err != nil || rawErr != nil {
			continue // a sheet of a chart
		}
		for i, row := range rows {
			for j, text := range row {
				if text = squeezed(text); text == "" {
					continue
				}
				all++
				if take(ours[name], text) || j < len(raw[i]) && take(ours[name], dateOf(raw[i][j])) {
					same++
				} else if each {
					fmt.Printf("  %s row %d column %d: %q is not there\n", name, i+1, j+1, text)
				}
			}
		}
	}
	return same, all, nil
}

func take(bag map[string]int, text string) bool {
	if text == "" || bag[text] == 0 {
		return false
	}
	bag[text]--
	return true
}

// dateOf is the time that a serial number of days means.
func dateOf(raw string) string {
	days, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return ""
	}
	t, err := excelize.ExcelDateToTime(days, false)
	if err != nil {
		return ""
	}
	return t.Round(time.Second).Format(time.RFC3339)
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }
