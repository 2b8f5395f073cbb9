package data

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
)

// What a line of CSV takes until the next one is read: its bytes as they come, without the quotes, and as texts of
// their own; of each column the text, its place and its number, and of a header the name among all others.
const (
	perByte   = 5
	perColumn = 250
)

// separators are what may stand between columns.
const separators = ",;\t| "

// lines is the text of a CSV file. To read from it is an error where a single line takes more than half of the memory
// that there may be: a meter of bytes sees what a line takes only when all is taken, and a small packed file may hold a
// line of any length.
type lines struct {
	r      io.Reader
	bytes  int64 // of the line so far
	counts [len(separators)]int64
	quoted bool // a line's end is none within quotes
}

func (l *lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		l.add(line)
		if wrong := l.check(); wrong != nil {
			return 0, wrong
		}
		if ended && !l.quoted {
			l.bytes, l.counts = 0, [len(separators)]int64{}
		}
		rest = after
	}
	return n, err
}

// add counts what a part of a line has.
func (l *lines) add(part []byte) {
	l.bytes += int64(len(part))
	if bytes.Count(part, []byte{'"'})%2 == 1 {
		l.quoted = !l.quoted
	}
	for k := range l.counts {
		l.counts[k] += int64(bytes.Count(part, []byte{separators[k]}))
	}
}

// check returns an error where the line takes too much.
func (l *lines) check() error {
	columns := 1 + slices.Max(l.counts[:])
	takes := memory.Size(perByte*l.bytes + perColumn*columns)
	if takes < 1<<20 {
		return nil
	}
	if limit, what := memory.Limit(); takes > limit/2 {
		return fmt.Errorf("too large: the first %v of a line, %d columns, take %v of memory, and reading may take "+
			"50%% of %s", memory.Size(l.bytes), columns, takes, what)
	}
	return nil
}
