package dataset

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// WriteLIBSVM writes d as ReadLIBSVM reads it: 1-based unless o.ZeroBased, zeros left out, numbers in the shortest form that
// reads back to the same bits. Labels that are texts are written as their class, 0..m-1. Trailing columns without a number
// cannot be seen in the file: give Cols to read it. Of o only ZeroBased counts.
func WriteLIBSVM[T vec.Float](w io.Writer, d *Labeled[*CSR[T]], o LIBSVMOptions) error {
	if err := d.check(d.X.Rows); err != nil {
		return err
	}
	first := int64(1)
	if o.ZeroBased {
		first = 0
	}
	return writeLines(w, d.X.Rows, func(b []byte, i int) []byte {
		if d.Values != nil {
			b = appendLabel(b, d.Values[i])
		} else {
			b = appendInt(b, int64(d.Y[i]))
		}
		idx, val := d.X.Row(i)
		for k, j := range idx {
			if val[k] != 0 {
				b = appendNumber(append(appendInt(append(b, ' '), int64(j)+first), ':'), val[k])
			}
		}
		return append(b, '\n')
	})
}

// WriteCSV writes d as ReadCSV reads it with zero options: no header, the label last (its class's name), parted by commas,
// numbers in the shortest form that reads back to the same bits. Without labels (Y nil) it writes the features alone.
func WriteCSV[T vec.Float](w io.Writer, d *Labeled[*Dense[T]]) error {
	if d.Y != nil {
		if err := d.check(d.X.Rows); err != nil {
			return err
		}
	}
	names := make([]string, len(d.Classes))
	for k, name := range d.Classes {
		switch {
		case name == "" || name != strings.TrimSpace(name) || strings.Contains(name, "\r"):
			return fmt.Errorf("dataset: class %d, %q, would not be read back: empty, blanks around it or a carriage return", k, name)
		case strings.ContainsAny(name, "\",;|\t\n"):
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		names[k] = name
	}
	return writeLines(w, d.X.Rows, func(b []byte, i int) []byte {
		for j, v := range d.X.Row(i) {
			if j > 0 {
				b = append(b, ',')
			}
			b = appendNumber(b, v)
		}
		if d.Y != nil {
			b = append(append(b, ','), names[d.Y[i]]...)
		}
		return append(b, '\n')
	})
}

// check returns an error unless the labels fit n examples.
func (l *Labels) check(n int) error {
	if len(l.Y) != n || l.Values != nil && len(l.Values) != n {
		return fmt.Errorf("dataset: %d classes and %d label values for %d examples", len(l.Y), len(l.Values), n)
	}
	for i, k := range l.Y {
		if k < 0 || k >= len(l.Classes) {
			return fmt.Errorf("dataset: class %d of example %d, expected one in 0..%d", k, i, len(l.Classes)-1)
		}
	}
	return nil
}

// writeLines writes n lines; line appends line i to b.
func writeLines(w io.Writer, n int, line func(b []byte, i int) []byte) error {
	out := bufio.NewWriterSize(w, 1<<16)
	var b []byte
	for i := range n {
		b = line(b[:0], i)
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Flush()
}

func appendInt(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }
