package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// report collects what tests have run.
type report struct {
	run    string // folder of what test binaries wrote
	lacks  []string
	counts map[string]*tally // by form
	never  []string
}

// tally counts blocks.
type tally struct{ all, run int }

// read adds a package.
func (r *report) read(s source) error {
	all := s.blocks()
	ran, err := r.bytes(s.name, len(all))
	if err != nil {
		return err
	}
	for i, b := range all {
		form := b.form()
		if slices.Contains(r.lacks, form) || len(r.lacks) > 0 && form == "entry" {
			continue
		}
		if r.counts == nil {
			r.counts = map[string]*tally{}
		}
		if r.counts[form] == nil {
			r.counts[form] = &tally{}
		}
		r.counts[form].all++
		if ran[i] != 0 {
			r.counts[form].run++
			continue
		}
		r.never = append(r.never, fmt.Sprintf("asm/%s/%s:%d: %s", s.name, b.file, b.line+1, b))
	}
	return nil
}

// bytes returns a package's n bytes: one is set if any of the package's test binaries has set it.
func (r *report) bytes(name string, n int) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(r.run, name+".*"))
	if err != nil {
		return nil, err
	}
	ran := make([]byte, n)
	for _, file := range files {
		one, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if len(one) != n {
			return nil, fmt.Errorf("%s has %d bytes, want one for each of %d blocks", file, len(one), n)
		}
		for i, b := range one {
			ran[i] |= b
		}
	}
	return ran, nil
}

// print writes the counts by form and the blocks that never ran, of which there must be none.
func (r *report) print(w io.Writer) error {
	for _, form := range append(slices.Clone(forms), "entry") {
		if c := r.counts[form]; c != nil {
			fmt.Fprintf(w, "%-8s %6d basic blocks, %d never run\n", form, c.all, c.all-c.run)
		}
	}
	for _, form := range r.lacks {
		fmt.Fprintf(w, "%-8s not on this CPU: its blocks are left out, and all entries\n", form)
	}
	if len(r.never) == 0 {
		return nil
	}
	for _, b := range r.never {
		fmt.Fprintln(w, b)
	}
	return fmt.Errorf("%d basic blocks are run by no test", len(r.never))
}
