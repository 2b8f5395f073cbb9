// Package statetest is for tests of trainings that stop and resume: contexts that end soon, and the sections of states.
package statetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// Context is one that ends when it has been asked a few times, by whatever goroutines.
type Context struct {
	context.Context
	left atomic.Int64
}

// Soon returns a context that ends when it has been asked left times.
func Soon(left int64) *Context {
	c := &Context{Context: context.Background()}
	c.left.Store(left)
	return c
}

// Left returns how many times it can still be asked.
func (c *Context) Left() int64 { return c.left.Load() }

// Err asks.
func (c *Context) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Section is a part of a file: see package container.
type Section struct {
	Tag      string
	Kind     byte
	From, To int // of the body
}

// Body returns the bytes of the section.
func (s Section) Body(file []byte) []byte { return file[s.From:s.To] }

// Sections returns the sections of a file, as far as it has them.
func Sections(file []byte) (all []Section) {
	for at := 24; at+20 <= len(file); {
		size := uint64(Section{Kind: file[at+4]}.size())
		count := binary.LittleEndian.Uint64(file[at+8:])
		if count > uint64(len(file)) || uint64(at)+20+size*count+4 > uint64(len(file)) {
			return all
		}
		s := Section{strings.TrimRight(string(file[at:at+4]), " "), file[at+4], at + 20, at + 20 + int(size*count)}
		all, at = append(all, s), s.To+4
	}
	return all
}

// size is how many bytes a number of the section has.
func (s Section) size() int {
	switch s.Kind {
	case 'i', 'f':
		return 4
	case 'l', 'd':
		return 8
	}
	return 1
}

// Len is how many numbers the section has.
func (s Section) Len() int { return (s.To - s.From) / s.size() }

// Longer returns the file with a section that has some numbers of 0 more, or fewer numbers where more is negative.
// Checksums are wrong.
func (s Section) Longer(file []byte, more int) []byte {
	more = max(more, -s.Len())
	end := s.To + min(more, 0)*s.size()
	longer := slices.Concat(file[:end], make([]byte, max(more, 0)*s.size()), file[s.To:])
	binary.LittleEndian.PutUint64(longer[s.From-12:], uint64(s.Len()+more))
	return longer
}

// Shape returns the rows and columns of the matrix whose size the section has; 0 if it is of another kind.
func (s Section) Shape(file []byte) (rows, cols int) {
	if s.Kind != 'l' || s.Len() != 2 {
		return 0, 0
	}
	low := binary.LittleEndian
	return int(low.Uint64(file[s.From:])), int(low.Uint64(file[s.From+8:]))
}

// Steps returns the sections of a state that the next epoch depends on: those before the best models.
func Steps(state []byte) []Section {
	all := Sections(state)
	if k := slices.IndexFunc(all, func(s Section) bool { return s.Tag == "best" }); k >= 0 {
		all = all[:k]
	}
	return slices.DeleteFunc(all, func(s Section) bool { return s.Tag == "end" })
}

// Differ returns in what section two states differ, but for the time that they tell and the best models, and how; ""
// where they are the same.
func Differ(one, other []byte) string {
	a, b := Steps(one), Steps(other)
	if len(a) != len(b) {
		return fmt.Sprintf("%d sections and %d", len(a), len(b))
	}
	for k, s := range a {
		was, is := s.Body(one), b[k].Body(other)
		if s.Tag == "clck" && s.Kind == 'd' { // the last number is the time
			was, is = was[:len(was)-8], is[:len(is)-8]
		}
		if b[k].Tag != s.Tag || b[k].Kind != s.Kind || !bytes.Equal(was, is) {
			return fmt.Sprintf("section %q, %x, and %q, %x", s.Tag, was, b[k].Tag, is)
		}
	}
	return ""
}
