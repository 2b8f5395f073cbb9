package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// output is where a command writes.
type output struct {
	out io.Writer // results
	err io.Writer // messages, warnings, progress
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

// usage returns an error of arguments that make no sense.
func usage(format string, args ...any) error {
	return &exit{misused, fmt.Errorf(format, args...)}
}

// codeOf returns the exit code of an error.
func codeOf(err error) int {
	var e *exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e):
		return e.code
	}
	return failed
}
