package dataset

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// WriteLIBSVM writes d as ReadLIBSVM reads it: 1-based unless o.ZeroBased, with the groups if there are any, without
// zeros. Numbers have the shortest form that reads back to the same bits. Where Values is nil, the classes 0..m-1 are
// the labels. Sets are written as the names of their classes, to be read with the option Sets. Trailing columns without
// a nonzero cannot be seen in the file: give Cols to read it. FeatureNames are not written. Of o only ZeroBased counts.
//
// It is an error if the numbers of labels, groups and examples differ, or a class is not in 0..m-1, and with Sets, if
// one does not ascend, or would not be read back: the name of a class is empty or has a blank, a comma, a colon or #,
// or the names of a set take 64 KiB.
func WriteLIBSVM[T vec.Float](w io.Writer, d *Labeled[*CSR[T]], o LIBSVMOptions) error {
	if err := d.check(d.X.Rows); err != nil {
		return err
	}
	if d.Groups != nil && len(d.Groups) != d.X.Rows {
		return fmt.Errorf("dataset: %d groups for %d examples", len(d.Groups), d.X.Rows)
	}
	first := int64(1)
	if o.ZeroBased {
		first = 0
	}
	return writeLines(w, d.X.Rows, func(b []byte, i int) []byte {
		if d.Sets != nil {
			b = d.appendSet(b, i)
		} else if d.Values != nil {
			b = appendLabel(b, d.Values[i])
		} else {
			b = appendInt(b, int64(d.Y[i]))
		}
		if d.Groups != nil {
			b = appendInt(append(b, " qid:"...), int64(d.Groups[i]))
		}
		idx, val := d.X.Row(i)
		if len(b) == 0 && vec.AbsSum(val) == 0 {
			return append(appendInt(append(b, ' '), first), ":0\n"...) // an empty line would be no example
		}
		for k, j := range idx {
			if val[k] != 0 {
				b = appendNumber(append(appendInt(append(b, ' '), int64(j)+first), ':'), val[k])
			}
		}
		return append(b, '\n')
	})
}

// WriteCSV writes d as ReadCSV reads it with zero options: separated by commas, the label last (the name of its class),
// numbers in the shortest form that reads back to the same bits. Without labels (Y nil) it writes the features alone,
// to be read with NoLabel. FeatureNames become a header, in which the label has the name CSV.LabelName, or else
// "label". Where a feature's name is a number, read it with HeaderPresent, without a header with HeaderAbsent, lest
// numbers be taken for examples or for names; where the first feature has no name, with Columns, lest it be taken for
// an index. Groups are not written.
//
// It is an error if there are Sets, if the numbers of labels, names, columns and examples differ, if two names are
// equal, or if a name would not be read back: blanks around it, a carriage return, what is not UTF-8, or an empty
// class.
func WriteCSV[T vec.Float](w io.Writer, d *Labeled[*Dense[T]]) error {
	if d.Sets != nil {
		return fmt.Errorf("dataset: %d label sets, a CSV file has one label an example", len(d.Sets))
	}
	if d.Y != nil {
		if err := d.check(d.X.Rows); err != nil {
			return err
		}
	}
	label := ""
	if d.Y != nil {
		label = cmp.Or(d.CSV.LabelName, "label")
	}
	header, err := csvHeader(d.FeatureNames, d.X.Cols, label)
	if err != nil {
		return err
	}
	classes := make([]string, len(d.Classes))
	for k, name := range d.Classes {
		if !readable(name) || name == "" {
			return fmt.Errorf("dataset: class %d, %q, would not be read back: empty, blanks around it or a "+
				"carriage return",
				k, name)
		}
		classes[k] = quoteField(name)
	}
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	return writeLines(w, d.X.Rows, func(b []byte, i int) []byte {
		for j, v := range d.X.Row(i) {
			if j > 0 {
				b = append(b, ',')
			}
			b = appendNumber(b, v)
		}
		if d.Y != nil {
			b = append(append(b, ','), classes[d.Y[i]]...)
		}
		return append(b, '\n')
	})
}

// csvHeader returns the first line for the names of d columns, if there are any, and of a label, if that has one.
func csvHeader(names []string, d int, label string) (string, error) {
	if names == nil {
		return "", nil
	}
	if len(names) != d {
		return "", fmt.Errorf("dataset: %d names of features for %d columns", len(names), d)
	}
	if a, b := firstTwice(names); b > 0 {
		return "", fmt.Errorf("dataset: features %d and %d are both %q, want different names", a, b, names[a])
	}
	if label != "" {
		for slices.Contains(names, label) {
			label += "_"
		}
		names = append(slices.Clone(names), label)
	}
	fields := make([]string, len(names))
	for j, name := range names {
		if !readable(name) || name != cleanName(name) {
			return "", fmt.Errorf("dataset: feature %d, %q, would not be read back: blanks around it, "+
				"a carriage return or no UTF-8", j, name)
		}
		fields[j] = quoteField(name)
	}
	return strings.Join(fields, ",") + "\n", nil
}

// readable reports whether ReadCSV returns name as it is.
func readable(name string) bool {
	return name == strings.TrimSpace(name) && !strings.Contains(name, "\r")
}

// quoteField quotes a field that would be taken for something else: for several, for an empty line, or for a byte order
// mark.
func quoteField(s string) string {
	if s == "" || strings.ContainsAny(s, "\",;|\t\n \ufeff") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// check returns an error unless the labels fit n examples.
func (l *Labels) check(n int) error {
	if l.Sets != nil {
		return l.checkSets(n)
	}
	if len(l.Y) != n || l.Values != nil && len(l.Values) != n {
		return fmt.Errorf("dataset: %d classes and %d label values for %d examples", len(l.Y), len(l.Values), n)
	}
	for i, k := range l.Y {
		if k < 0 || k >= len(l.Classes) {
			return fmt.Errorf("dataset: class %d of example %d, want one in 0..%d", k, i, len(l.Classes)-1)
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
