package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
)

// output is where a command writes.
type output struct {
	out io.Writer // results
	err io.Writer // messages, warnings, progress

	args   []string // of the command
	silent bool     // no notes
}

// terminal reports whether somebody looks at w.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	about, err := f.Stat()
	return err == nil && about.Mode()&os.ModeCharDevice != 0
}

// The exit codes.
const (
	failed       = 1   // an error
	misused      = 2   // arguments that make no sense
	notConverged = 3   // a model that has not reached the tolerance; it is saved
	interrupted  = 130 // by a signal; what there is is saved
)

// exit is an error that ends the command with a code of its own.
type exit struct {
	code int
	error
}

func (e *exit) Unwrap() error { return e.error }

// Overwrite is the flag of commands that write files.
type Overwrite struct {
	Force bool `group:"output" help:"Replace files whatever they hold. By default a model replaces models alone, predictions replace predictions, and data replace nothing."`
}

// usage returns an error of arguments that make no sense.
func usage(format string, args ...any) error {
	return &exit{misused, fmt.Errorf(format, args...)}
}

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var e *exit
	var clash *file.Clash
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.code
	case errors.As(err, &clash):
		return misused
	}
	return failed
}

// quiet returns out for training: without notes where nobody wants them, and with messages alone where the model itself
// goes to standard output.
func (o *output) quiet(quiet, toStdout bool) *output {
	own := *o
	if toStdout {
		own.out = own.err
	}
	own.silent = quiet
	return &own
}

// note writes a line.
func (o *output) note(format string, args ...any) {
	if !o.silent {
		fmt.Fprintf(o.out, format+"\n", args...)
	}
}

// remark writes lines about what the data were taken for.
func (o *output) remark(lines []string) {
	for _, line := range lines {
		if !o.silent {
			fmt.Fprintln(o.err, line)
		}
	}
}

// hint writes a line about what may be wrong, unless it is empty.
func (o *output) hint(line string) {
	if line != "" && !o.silent {
		fmt.Fprintln(o.err, "hint:", line)
	}
}

// bar returns a progress bar, nil where nobody would look at it.
func (o *output) bar(tol float64) *bar {
	if o.silent || !terminal(o.err) {
		return nil
	}
	return newBar(o.err, tol)
}

// again returns the command line with further arguments.
func (o *output) again(more ...string) string {
	words := append([]string{"dualgap"}, o.args...)
	for _, arg := range more {
		name, _, value := strings.Cut(arg, "=")
		if at := slices.IndexFunc(words, func(w string) bool { return w == name || w == name[1:] }); at >= 0 && value {
			words = slices.Delete(words, at, min(at+2, len(words)))
		} else if at >= 0 {
			words = slices.Delete(words, at, at+1)
		}
		words = append(slices.DeleteFunc(words, func(w string) bool {
			return strings.HasPrefix(w, name+"=") || strings.HasPrefix(w, name[1:]+"=")
		}), arg)
	}
	for i, w := range words {
		if strings.ContainsAny(w, " \t\"'$`\\*?&|;<>()#~") || w == "" {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}
