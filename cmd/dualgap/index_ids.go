package main

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
)

// openIDs reads the ids of n vectors: NPY, or text with a number in each line.
func openIDs(path string, n int) (ids []uint64, err error) {
	if data.FormatOf(path, "auto") == "npy" {
		ids, err = npyIDs(path)
	} else {
		ids, err = textIDs(path)
	}
	if err == nil && len(ids) != n {
		err = fmt.Errorf("%s: %d ids for %d vectors", path, len(ids), n)
	}
	return ids, err
}

func npyIDs(path string) ([]uint64, error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	l, err := dataset.ReadNPYLabels(in, path, dataset.NPYOptions{})
	if err != nil {
		return nil, err
	}
	ids := make([]uint64, len(l.Values))
	for i, v := range l.Values {
		if ids[i] = uint64(v); v < 0 || float64(ids[i]) != v {
			return nil, fmt.Errorf("%s: row %d: %v as an id, want a whole number from 0 on", path, i, v)
		}
	}
	return ids, nil
}

func textIDs(path string) (ids []uint64, err error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	for line := 1; lines.Scan(); line++ {
		id, err := strconv.ParseUint(strings.TrimSpace(lines.Text()), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %q as an id, want a whole number from 0 to 2^64-1", path, line,
				cut(lines.Text()))
		}
		ids = append(ids, id)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return ids, nil
}

// cut is a text, or its beginning.
func cut(s string) string { return s[:min(len(s), 40)] }
