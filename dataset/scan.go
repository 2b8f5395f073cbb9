package dataset

import (
	"bytes"
	"io"
)

// scanner cuts a text into tokens separated by blanks and remembers where they stand. It holds a window of the text
// that is moved on as tokens are taken; no token may be longer than the window.
type scanner struct {
	r        io.Reader
	file     string
	buf      []byte // the window
	pos, end int    // buf[pos:end] is still to be read
	base     int64  // offset of buf[0] in the text
	line     int
	begin    int64 // offset of the line's first byte
	token    []byte
	start    int64 // offset of the token
	err      error // why r gives no more
}

// kind of what next found.
type kind int

const (
	word kind = iota
	newline
	end
	broken // the input failed, or a token is too long: fail tells
)

const window = 1 << 16

func newScanner(r io.Reader, file string) *scanner {
	return &scanner{r: r, file: file, buf: make([]byte, window), line: 1}
}

// next takes the next token, or the end of a line with the comment before it.
func (s *scanner) next() kind {
	i := s.pos
	for {
		for ; i < s.end && isBlank[s.buf[i]]; i++ {
		}
		s.pos = i
		if i < s.end {
			break
		}
		s.fill()
		if s.err != nil && s.pos == s.end {
			return s.atEnd()
		}
		i = s.pos
	}
	switch s.buf[i] {
	case '#':
		return s.comment()
	case '\n':
		return s.newline()
	}
	for {
		for ; i < s.end && !endsWord[s.buf[i]]; i++ {
		}
		if i < s.end || s.err == io.EOF {
			break
		}
		n := i - s.pos
		if s.err != nil || n == len(s.buf) {
			s.start = s.base + int64(s.pos)
			return broken
		}
		s.fill()
		i = s.pos + n
	}
	s.token, s.start = s.buf[s.pos:i], s.base+int64(s.pos)
	s.pos = i
	return word
}

func (s *scanner) newline() kind {
	s.pos++
	s.start = s.base + int64(s.pos) - 1
	return newline
}

// nextLine says that the tokens to come stand on the line after the newline just taken.
func (s *scanner) nextLine() {
	s.line++
	s.begin = s.base + int64(s.pos)
}

func (s *scanner) comment() kind {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i
			return s.newline()
		}
		s.pos = s.end
		s.fill()
		if s.err != nil && s.pos == s.end {
			return s.atEnd()
		}
	}
}

func (s *scanner) atEnd() kind {
	s.start = s.base + int64(s.pos)
	if s.err == io.EOF {
		return end
	}
	return broken
}

// fill moves the rest of the window to its front and reads more behind it.
func (s *scanner) fill() {
	copy(s.buf, s.buf[s.pos:s.end])
	s.base += int64(s.pos)
	s.pos, s.end = 0, s.end-s.pos
	for range 100 {
		if s.err != nil || s.end == len(s.buf) {
			return
		}
		var n int
		n, s.err = s.r.Read(s.buf[s.end:])
		s.end += n
		if n > 0 {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// expected returns the error that the last token is not what is wanted there; skip is the number of its bytes that were
// fine.
func (s *scanner) expected(want string, skip int) error {
	e := &ParseError{File: s.file, Line: s.line, Column: clampInt(s.start - s.begin + 1 + int64(skip)), Want: want}
	e.Found = quote(s.token[skip:])
	return e
}

// fail returns the error for kinds that carry no token.
func (s *scanner) fail(k kind, want string) error {
	e := &ParseError{File: s.file, Line: s.line, Column: clampInt(s.start - s.begin + 1), Want: want}
	switch {
	case k == newline:
		e.Found = "the end of the line"
	case k == end:
		e.Found = "the end of the file"
	case s.err != nil && s.err != io.EOF:
		e.Err = s.err
	default:
		e.Found, e.Want = quote(s.buf[s.pos:s.end]), "a word of less than 64 KiB"
	}
	return e
}

var isBlank = [256]bool{' ': true, '\t': true, '\r': true, '\v': true, '\f': true}
var endsWord = [256]bool{' ': true, '\t': true, '\r': true, '\v': true, '\f': true, '\n': true, '#': true}
