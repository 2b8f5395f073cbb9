package file

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Plan is what a command reads and writes. Before the work, and again before a file takes its place, it holds that no
// file is written that is read, none is written for two ends, and none is replaced that is of another kind.
type Plan struct {
	Force   bool // replace files of any kind
	inputs  []named
	outputs []*Output
}

// Kind is what a file holds. An empty file is of every kind.
type Kind struct {
	Name string                 // with its article, such as "a model"
	Is   func(head []byte) bool // whether a file that begins so is of the kind, by 64 KiB unpacked; nil: none is
}

// Output is a file that a command writes.
type Output struct {
	named
	kind Kind
	plan *Plan
}

type named struct{ what, path string }

func (n named) String() string { return n.what + " " + n.path }

// Clash is an error of files that must not be written.
type Clash struct{ text string }

func (c *Clash) Error() string { return c.text }

// Reads says that the command reads files, what they are to it. "" and "-" are none.
func (p *Plan) Reads(what string, paths ...string) {
	for _, path := range paths {
		if path != "" && path != "-" {
			p.inputs = append(p.inputs, named{what, path})
		}
	}
}

// Writes says that the command writes a file, and what it is to it: "" is none, "-" standard output.
func (p *Plan) Writes(what, path string, kind Kind) *Output {
	o := &Output{named{what, path}, kind, p}
	if path != "" {
		p.outputs = append(p.outputs, o)
	}
	return o
}

// Check returns a *Clash unless all outputs may be written, or the error of one that cannot.
func (p *Plan) Check() error {
	for _, o := range p.outputs {
		if err := o.check(); err != nil {
			return err
		}
	}
	for _, o := range p.outputs {
		if err := Check(o.path); err != nil {
			return err
		}
	}
	return nil
}

// Write is the function Write, which Check comes before once more: in the hours of a training files come and go.
func (o *Output) Write(write func(io.Writer) error) error { return writeIf(o.path, write, o.check) }

// check returns a *Clash unless the output may be written.
func (o *Output) check() error {
	for _, in := range o.plan.inputs {
		if same(o.path, in.path) {
			return &Clash{fmt.Sprintf("%v is the same file as %v, which would be lost: name another file", o.named, in)}
		}
	}
	for _, other := range o.plan.outputs {
		if other != o && same(o.path, other.path) {
			return &Clash{fmt.Sprintf("%v is the same file as %v: name two files", o.named, other.named)}
		}
	}
	if about, err := os.Stat(o.path); o.plan.Force || o.path == "-" || err != nil || !about.Mode().IsRegular() ||
		about.Size() == 0 {
		return nil
	}
	if in, err := Open(o.path); err == nil {
		defer in.Close()
		if head, _ := in.Peek(in.Size()); o.kind.Is != nil && o.kind.Is(head) {
			return nil
		}
	}
	if o.kind.Is == nil {
		return &Clash{fmt.Sprintf("%v is there already, and would be lost: name another file, or replace it by --force",
			o.named)}
	}
	return &Clash{fmt.Sprintf("%v: there is a file that is not %s, and would be lost: name another file, or replace "+
		"it by --force",
		o.named, o.kind.Name)}
}

// same reports whether two names lead to one file, by links too. Where neither is there yet folder and name tell.
func same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	switch {
	case a == "-" || b == "-" || (errA == nil) != (errB == nil):
		return false
	case errA == nil:
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	x, errA = os.Stat(filepath.Dir(a))
	y, errB = os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(x, y) && sameName(filepath.Base(a), filepath.Base(b))
}

// sameName compares names in one folder as the file systems that a system has as a rule do.
func sameName(a, b string) bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
