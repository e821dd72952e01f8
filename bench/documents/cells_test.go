package main

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// TestCells compares a workbook of every kind of cell with what excelize, which
// has written it, reads.
func TestCells(t *testing.T) {
	f := excelize.NewFile()
	defer f.Close()
	if _, err := f.NewSheet("Second & last"); err != nil {
		t.Fatal(err)
	}
	formats := []int{0, 1, 2, 3, 4, 9, 10, 11, 14, 15, 16, 17, 20, 21, 22, 37, 38, 39, 40, 49}
	values := []any{1, 0, -3.5, 1234567.891, 0.125, 1e-7, 45292.75, "text", " blanks ", "line\nbreak", true, false, "ünïcödé 東京", "", nil, time.Date(2024, 2, 29, 13, 5, 0, 0, time.UTC)}
	for _, sheet := range []string{"Sheet1", "Second & last"} {
		for col, format := range formats {
			style, err := f.NewStyle(&excelize.Style{NumFmt: format})
			if err != nil {
				t.Fatal(err)
			}
			for row, value := range values {
				cell, err := excelize.CoordinatesToCellName(col+1, row+1)
				if err != nil {
					t.Fatal(err)
				}
				if err := f.SetCellValue(sheet, cell, value); err != nil {
					t.Fatal(err)
				}
				if err := f.SetCellStyle(sheet, cell, cell, style); err != nil {
					t.Fatal(err)
				}
			}
		}
		for n := range 2000 {
			if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", 30+n), &[]any{n, fmt.Sprintf("name %d", n), float64(n) / 7}); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.MergeCell(sheet, "B40", "C42"); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "cells.xlsx")
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	r, _, err := newReader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.close(); err != nil {
			t.Error(err)
		}
	})
	same, all, err := sameCells(t.Context(), r, path, true)
	if err != nil || all < 12_000 || float64(same) < 0.99*float64(all) {
		t.Errorf("%d of %d cells are the same, %v", same, all, err)
	}
	t.Logf("%d of %d cells are the same", same, all)
}
