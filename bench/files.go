package main

import (
	"embed"
	"fmt"
	"io"
	"os"

	"github.com/dualgap/dualgap/bench/internal/compare"
	"github.com/dualgap/dualgap/bench/internal/page"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// saved are the results of all CPUs that have run this.
//
//go:embed results/*.txt
var saved embed.FS

func openSaved() (sets []*results.Set, err error) {
	entries, err := saved.ReadDir("results")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		f, err := saved.Open("results/" + e.Name())
		if err != nil {
			return nil, err
		}
		s, err := results.Read(f, e.Name())
		if err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

// writePage writes the report of the first set, beside the other sets, and the sets of all CPUs.
func writePage(file string, sets ...*results.Set) error {
	others, err := openSaved()
	if err != nil {
		return err
	}
	text, err := page.HTML(append(sets, others...)...)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}

// report is the command of that name.
func report(args []string, stdout, stderr io.Writer) error {
	f := newFlags("bench report")
	out := f.String("out", "bench-report.html", "write the report into `file`, an HTML page")
	if err := parseFlags(f, args, stderr, abouts["report"],
		"bench report [flags] [FILE...]  (default: bench-results.txt)"); err != nil {
		return err
	}
	files := f.Args()
	if len(files) == 0 {
		files = []string{"bench-results.txt"}
	}
	sets := make([]*results.Set, len(files))
	for k, file := range files {
		var err error
		if sets[k], err = results.Open(file); err != nil {
			return err
		}
	}
	if err := writePage(*out, sets...); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "Wrote %s.\n", *out)
	return err
}

// compareFiles is the command compare.
func compareFiles(args []string, stdout, stderr io.Writer) error {
	f := newFlags("bench compare")
	if err := parseFlags(f, args, stderr, abouts["compare"], "bench compare OLD NEW"); err != nil {
		return err
	}
	if f.NArg() != 2 {
		return fmt.Errorf("compare: want two files, got %d", f.NArg())
	}
	var sets [2]*results.Set
	for k := range sets {
		var err error
		if sets[k], err = results.Open(f.Arg(k)); err != nil {
			return err
		}
	}
	t, err := compare.Table(sets[0], sets[1], [2]string{f.Arg(0), f.Arg(1)})
	if err != nil {
		return err
	}
	return t.Print(stdout)
}
