package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dualgap/dualgap/bench/internal/families"
	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/kernels"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/search"
	"github.com/dualgap/dualgap/bench/internal/view"
	"github.com/dualgap/dualgap/bench/internal/workers"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/internal/page"
	"github.com/dualgap/dualgap/vec"
)

// folder is where files of results lie, one for each CPU.
const folder = "bench/results"

// measure measures the kernels, the families, searches, what several workers gain, or all of it, prints what it finds
// as it comes, and writes the files.
func measure(ctx context.Context, command string, args []string, stdout, stderr io.Writer) error {
	o, err := parse(command, args, stderr)
	if err != nil {
		return err
	}
	if info, err := os.Stat(folder); o.save && (err != nil || !info.IsDir()) {
		return fmt.Errorf("-save: there is no folder %s here", folder)
	}
	s := &results.Set{Config: results.ThisMachine(time.Now())}
	var out output = &text{w: stdout, tiers: strings.Fields(s.Get("tiers"))}
	if o.json {
		out = newJSON(stdout)
	}
	if err := out.machine(s); err != nil {
		return err
	}
	bar := progress.New(stderr)
	defer bar.Clear()
	if o.kernels {
		if err := measureKernels(ctx, o, bar, s, out); err != nil {
			return err
		}
	}
	if o.solvers {
		err := families.Train(ctx, o.Options, o.filter, bar, s,
			func(family string) error { return out.family(s, family) })
		if err != nil {
			return err
		}
	}
	if o.search {
		if err := measureSearch(ctx, o, bar, s, out); err != nil {
			return err
		}
	}
	if o.workers {
		if err := workers.Measure(ctx, o.filter, o.Quick, bar, s, out.workers); err != nil {
			return err
		}
	}
	bar.Clear()
	if err := out.headline(view.Headline(s)); err != nil {
		return err
	}
	if s.Lines == nil {
		return fmt.Errorf("-filter %v: nothing has a name that matches", o.filter)
	}
	files := []string{o.results}
	if o.save {
		files = append(files, filepath.Join(folder, results.FileName()+".txt"))
	}
	var written []string
	for _, file := range files {
		if file == "" {
			continue
		}
		if err := s.Save(file); err != nil {
			return err
		}
		written = append(written, file)
	}
	if o.page != "" {
		if err := writePage(o.page, s); err != nil {
			return err
		}
		written = append(written, o.page)
	}
	return out.wrote(written)
}

func measureKernels(ctx context.Context, o options, bar *progress.Bar, s *results.Set, out output) error {
	if o.filter.MatchString("Stream") {
		i := vec.Info()
		if err := kernels.Stream(ctx, [3]int{i.L1d, i.L2, i.L3}, o.Quick, bar, s); err != nil {
			return err
		}
		if err := out.kernels(s.Lines); err != nil {
			return err
		}
	}
	return kernels.Measure(ctx, o.filter, o.Quick, bar, s, out.kernels)
}

// measureSearch searches the embedded images, or the images in -data.
func measureSearch(ctx context.Context, o options, bar *progress.Bar, s *results.Set, out output) error {
	train, test := fashion.Images(nil), fashion.Images(nil)
	if o.Data == "" {
		train, test = samples.FashionMNIST[float32]()
	} else {
		var err error
		if train, test, err = fashion.Open(o.Data); err != nil {
			return err
		}
	}
	n, m := train.X.Rows, min(500, test.X.Rows)
	if o.Quick {
		n, m = (n+9)/10, (m+9)/10
	}
	x, q := train.X.Slice(0, n, 0, train.X.Cols), test.X.Slice(0, m, 0, test.X.Cols)
	return search.Measure(ctx, x, q, o.filter, bar, s,
		func([]results.Line) error { return out.search(s) })
}

// output prints results as they come.
type output interface {
	machine(s *results.Set) error
	kernels(lines []results.Line) error // of one kernel in one precision, or of streams
	family(s *results.Set, family string) error
	search(s *results.Set) error
	workers(lines []results.Line) error // of one job
	headline(text string) error         // of all of them
	wrote(files []string) error
}

// text prints tables, most of them of at most 100 columns.
type text struct {
	w     io.Writer
	tiers []string
	typ   string // the precision of the table at hand
	table *view.Speeds
	gains *view.Gains
}

func (t *text) machine(*results.Set) error {
	i := vec.Info()
	_, err := fmt.Fprintln(t.w, i)
	return err
}

func (t *text) kernels(lines []results.Line) error {
	if lines[0].Base == "Stream" {
		return nil
	}
	s := ""
	if typ := lines[0].Key("type"); typ != t.typ {
		t.typ, t.table = typ, view.NewSpeeds(typ, t.tiers)
		s = t.table.Head()
	}
	_, err := io.WriteString(t.w, s+t.table.Row(lines))
	return err
}

func (t *text) family(s *results.Set, family string) error {
	if table, ok := view.FamilyTable(s, family); ok {
		return table.Print(t.w)
	}
	return nil
}

func (t *text) search(s *results.Set) error {
	if table, ok := view.SearchTable(s); ok {
		return table.Print(t.w)
	}
	return nil
}

func (t *text) workers(lines []results.Line) error {
	s := ""
	if t.gains == nil {
		t.gains = view.NewGains(lines)
		s = t.gains.Head()
	}
	_, err := io.WriteString(t.w, s+t.gains.Row(lines))
	return err
}

func (t *text) headline(s string) error {
	if s == "" {
		return nil
	}
	_, err := fmt.Fprintf(t.w, "\n%s\n", page.Wrap(s, 100))
	return err
}

func (t *text) wrote(files []string) error {
	if files == nil {
		return nil
	}
	_, err := fmt.Fprintf(t.w, "\nWrote %s.\n", strings.Join(files, ", "))
	return err
}
