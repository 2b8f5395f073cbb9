package data

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
)

// openBeside reads the groups and the folds of the examples, of the file path, that have files of their own.
func (e *Examples[T]) openBeside(path string, o Options) error {
	switch {
	case e.Format == "csv":
	case o.GroupColumn != "":
		return fmt.Errorf("%s: --group-column %s is for CSV, and this is %s: name a file by --group-file", path,
			o.GroupColumn, e.Format)
	case o.FoldColumn != "":
		return fmt.Errorf("%s: --fold-column %s is for CSV, and this is %s: name a file by --fold-file", path,
			o.FoldColumn, e.Format)
	}
	for _, b := range []struct {
		flag, what, from string
		to               *[]int
	}{{"--group-file", "groups", o.GroupFile, &e.Groups}, {"--fold-file", "folds", o.FoldFile, &e.Folds}} {
		switch {
		case b.from == "":
			continue
		case *b.to != nil:
			return fmt.Errorf("%s has %s already: leave out %s", path, b.what, b.flag)
		}
		of, err := numbers(b.from, o.MaxRows)
		if err != nil {
			return fmt.Errorf("%s: %w", b.flag, err)
		}
		if len(of) != e.Len() {
			return fmt.Errorf("%d examples in %s, but %d %s in %s", e.Len(), path, len(of), b.what, b.from)
		}
		*b.to = of
	}
	return nil
}

// numbers reads a value for each example, the first rows of them if that is above 0, and numbers distinct ones from 0.
func numbers(path string, rows int) ([]int, error) {
	switch FormatOf(path, "") {
	case "npy":
		l, err := read(path, dataset.NPYOptions{MaxRows: rows}, dataset.ReadNPYLabels)
		return l.Y, err
	case "idx":
		l, err := read(path, dataset.IDXOptions{MaxRows: rows}, dataset.ReadIDXLabels)
		return l.Y, err
	}
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var of []int
	number := map[string]int{}
	lines := bufio.NewScanner(in)
	for lines.Scan() && (rows == 0 || len(of) < rows) {
		s := strings.TrimSpace(lines.Text())
		if s == "" {
			return nil, fmt.Errorf("%s:%d: an empty line, want a value", path, len(of)+1)
		}
		k, known := number[s]
		if !known {
			k = len(number)
			number[s] = k
		}
		of = append(of, k)
	}
	return of, lines.Err()
}
