package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
)

// states is the file that a training goes on from: what the paths of a cross-validation have measured, one after the
// other, then the state of the training with the chosen parameters. Without cross-validation that stands alone.
type states struct {
	out   *file.Output // nil: nothing is written
	known *file.Input  // to go on from; nil: from the beginning
	kept  []byte       // the states of the paths that are over
	last  bytes.Buffer // the state of the path under way, as it was read or written last
	fault error        // of the last time that a path's state was written
}

// openStates opens the file path to go on from where resume says so; "" is none.
func openStates(path string, out *file.Output, resume bool) (*states, error) {
	s := &states{}
	if path != "" {
		s.out = out
	}
	if !resume {
		return s, nil
	}
	in, err := file.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no state in %s to resume from: leave out --resume, or name its file by --checkpoint",
			path)
	}
	s.known = in
	return s, err
}

func (s *states) close() {
	if s.known != nil {
		s.known.Close()
	}
}

// writes reports whether there is a file.
func (s *states) writes() bool { return s.out != nil }

// next returns what the next state is to be read from, nil where there is none.
func (s *states) next() io.Reader {
	if s.known == nil {
		return nil
	}
	if _, err := s.known.Peek(1); err == io.EOF {
		return nil
	}
	return s.known.Reader
}

// nextPath is next for the state of a path, which is small and can be kept.
func (s *states) nextPath() io.Reader {
	from := s.next()
	if from == nil {
		return nil
	}
	return io.TeeReader(from, &s.last)
}

// unsaved is why a state could not be saved.
type unsaved struct{ error }

func (u unsaved) Unwrap() error { return u.error }

// save writes a state behind those that are kept.
func (s *states) save(write func(io.Writer) error) error {
	err := s.out.Write(func(w io.Writer) error {
		if _, err := w.Write(s.kept); err != nil {
			return err
		}
		return write(w)
	})
	if err != nil {
		return unsaved{err}
	}
	return nil
}

// savePath is save for the state of a path.
func (s *states) savePath(write func(io.Writer) error) error {
	s.fault = s.save(func(w io.Writer) error {
		s.last.Reset()
		return write(io.MultiWriter(w, &s.last))
	})
	return s.fault
}

// keep has the state of the path that is over stand before what follows.
func (s *states) keep() {
	s.kept = append(s.kept, s.last.Bytes()...)
	s.last.Reset()
}
