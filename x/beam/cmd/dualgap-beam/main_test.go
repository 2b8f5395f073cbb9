package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/x/beam/internal/temp"
)

// process names a variable with which the test's binary is the command.
const process = "DUALGAP_BEAM_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(process) != "" {
		beam.Init()
		os.Exit(command(os.Args[1:]))
	}
	flag.Parse()
	beam.Init()
	code, err := temp.Within("beam-test-", m.Run)
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

func prism(ctx context.Context, p *beam.Pipeline) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err := beam.Run(ctx, "prism", p)
	return err
}

// TestCommands: train writes a model that audit certifies to the same primal value and that score reads; grid and
// encode write their files.
func TestCommands(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	l := samples.Digits[float32]()
	write(t, at("rows.npy"), func(w io.Writer) error {
		return dataset.WriteNPY(w, l.X, dataset.NPYOptions{Type: "u1"})
	})
	write(t, at("labels.i4"), func(w io.Writer) error {
		for _, c := range l.Y {
			if err := binary.Write(w, binary.LittleEndian, int32(c)); err != nil {
				return err
			}
		}
		return nil
	})
	q, err := pq.Train(t.Context(), l.X.Matrix, pq.Config{M: 8, NBits: 4})
	if err != nil {
		t.Fatal(err)
	}
	write(t, at("book"), func(w io.Writer) error { _, err := q.WriteTo(w); return err })

	examples := []string{"--cols", "64", "--scale", ".0625", "--label-file", at("labels.i4"), "--classes", "10"}
	problem := append(slices.Clone(examples), "-c", ".1")
	command := func(want string, args ...string) string {
		t.Helper()
		var out, said bytes.Buffer
		if code := run(t.Context(), args, prism, &out, &said); code != 0 || !strings.Contains(out.String(), want) {
			t.Fatalf("%q: exit code %d, %q, %q, want %q", args, code, out.String(), said.String(), want)
		}
		return out.String()
	}
	trained := command("converged", slices.Concat([]string{"train", at("rows.npy"), at("model"), "--sample", "500"},
		problem)...)
	audit := command("1797 rows, checksum ", slices.Concat([]string{"audit", at("rows.npy"), at("model")}, problem)...)
	if a, b := primal(trained), primal(audit); a == "" || a != b {
		t.Errorf("trained: %s, audited: %s", trained, audit)
	}
	command("4 ranges", "score", at("rows.npy"), at("model"), at("answers"), "--cols", "64", "--scale", ".0625", "-k",
		"3", "--range", "512")
	command("converged", slices.Concat([]string{"tracenorm", at("rows.npy"), at("low"), "--sample", "500", "--lambda1",
		".02", "--lambda2", ".001"}, examples)...)
	command("1 ranges", "score", at("rows.npy"), at("low"), at("of low"), "--cols", "64", "--scale", ".0625")
	command("1 ranges", "encode", at("rows.npy"), at("book"), at("codes"), "--cols", "64")
	size(t, at("answers"), 1797*3*12)
	size(t, at("codes"), 1797*q.CodeSize())
	command("best: model-", slices.Concat([]string{"grid", at("rows.npy"), at("models"), "--grid-c", ".01,.1", "--cv",
		"2"}, examples)...)

	command("relative gap", slices.Concat([]string{"labels", at("rows.npy"), at("svm"), "--groups", "3"}, problem)...)

	var said bytes.Buffer
	code := run(t.Context(), []string{"score", "none", "model", "dir", "--cols", "3"}, prism, io.Discard, &said)
	if code != 1 || !strings.Contains(said.String(), "no such file") {
		t.Errorf("no rows: exit code %d, %s", code, said.String())
	}
	if code := run(t.Context(), []string{"guess"}, prism, io.Discard, io.Discard); code != 2 {
		t.Errorf("an unknown command: exit code %d", code)
	}
}

func write(t *testing.T, path string, to func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := to(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// primal returns the primal value that a command tells of.
func primal(text string) string {
	_, text, _ = strings.Cut(text, "primal ")
	text, _, _ = strings.Cut(text, ",")
	return text
}

// size checks how many bytes the blocks in a folder have.
func size(t *testing.T, dir string, want int) {
	t.Helper()
	found, err := filepath.Glob(dir + "/rows-*")
	got := 0
	for _, path := range found {
		if info, err := os.Stat(path); err == nil && !strings.HasSuffix(path, ".sum") {
			got += int(info.Size())
		}
	}
	if err != nil || got != want {
		t.Errorf("%s: %d bytes, %v, want %d", dir, got, err, want)
	}
}

// TestParse: flags of Beam go to Beam, with their values.
func TestParse(t *testing.T) {
	beams := flag.NewFlagSet("beam", flag.ContinueOnError)
	beams.String("runner", "", "")
	beams.Bool("async", false, "")
	own, theirs := parse(beams, []string{"score", "rows", "--runner", "universal", "-async", "-k", "3", "--runner=x",
		"--cols=4"})
	if !slices.Equal(own, []string{"score", "rows", "-k", "3", "--cols=4"}) ||
		!slices.Equal(theirs, []string{"--runner", "universal", "-async", "--runner=x"}) {
		t.Errorf("%q and %q", own, theirs)
	}
}

// TestReadFlags: a flag of Beam without its value, or one that does not fit, is an error in a line.
func TestReadFlags(t *testing.T) {
	for args, want := range map[string]string{"score --endpoint": "-endpoint", "score --async": "--async does not fit",
		"score --parallelism x": "-parallelism", "score --runner nope": "--runner nope, want one of prism,"} {
		beams := flag.NewFlagSet("beam", flag.ExitOnError)
		beams.String("endpoint", "", "")
		beams.String("runner", "", "")
		beams.Bool("async", false, "")
		beams.Int("parallelism", 0, "")
		_, err := readFlags(beams, strings.Fields(args))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// TestFlags: no flag has the name of one of Beam's, which would take it.
func TestFlags(t *testing.T) {
	parser, err := kong.New(new(commands))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		for _, f := range command.Flags {
			short := f.Short != 0 && flag.CommandLine.Lookup(string(f.Short)) != nil
			if short || flag.CommandLine.Lookup(f.Name) != nil {
				t.Errorf("%s --%s is a flag of Beam too", command.Name, f.Name)
			}
		}
	}
}
