package dataset

import (
	"fmt"
	"math"
)

// ParseError tells where a reader stopped, what it found there and what it expected.
type ParseError struct {
	File   string // name of the input
	Line   int    // line of a text, from 1; 0 for a binary format
	Column int    // byte in that line, from 1
	Offset int64  // byte of the uncompressed data, from 0; binary formats only
	Found  string // what stands there
	Want   string // what was expected instead
	Err    error  // the error of the input itself (I/O, gzip, MaxBytes), or nil
}

// Error returns the place, and what is wrong there: "train.svm:3:7: ...".
func (e *ParseError) Error() string {
	place := fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	if e.Line == 0 {
		place = fmt.Sprintf("%s: byte %d", e.File, e.Offset)
	}
	if e.Err != nil {
		return fmt.Sprintf("dataset: %s: cannot read on: %v", place, e.Err)
	}
	return fmt.Sprintf("dataset: %s: found %s, want %s", place, e.Found, e.Want)
}

// Unwrap returns the error of the input, if that was the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// quote shows a piece of the input, cut to a length that fits a message.
func quote[S []byte | string](s S) string {
	const most = 40
	if len(s) > most {
		return fmt.Sprintf("%q...", string(s[:most]))
	}
	return fmt.Sprintf("%q", string(s))
}

// clampInt returns v, or the largest int where int has 32 bits and v does not fit.
func clampInt(v int64) int { return int(min(v, math.MaxInt)) }
