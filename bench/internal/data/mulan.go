package data

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// mulanLabels reads the names of labels from a file of Mulan's, in their order.
func mulanLabels(r io.Reader) ([]string, error) {
	var all struct {
		Labels []struct {
			Name string `xml:"name,attr"`
		} `xml:"label"`
	}
	if err := xml.NewDecoder(r).Decode(&all); err != nil {
		return nil, err
	}
	var names []string
	for _, l := range all.Labels {
		names = append(names, l.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no <label name=...>")
	}
	return names, nil
}

// mulan writes the examples of an ARFF file as LIBSVM text with sets of labels, which are numbered from 1 as labels
// has them; features are all other attributes, numbered from 1 in the order of the file. Rows may be dense, with all
// values, or sparse, {place value, ...}, with places from 0.
func mulan(w io.Writer, arff io.Reader, labels []string) error {
	in := bufio.NewScanner(arff)
	in.Buffer(nil, 1<<24)
	out := bufio.NewWriter(w)
	var m attributes
	data := false
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		word := strings.ToLower(text)
		var err error
		switch {
		case text == "" || text[0] == '%':
		case data:
			err = m.write(out, text)
		case strings.HasPrefix(word, "@attribute"):
			err = m.add(text, labels)
		case strings.HasPrefix(word, "@data"):
			data = true
			err = m.complete(labels)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	if !data {
		return fmt.Errorf("no @data")
	}
	return out.Flush()
}

// attributes are what the columns of a row are: the label of that number, or the feature.
type attributes struct {
	label, feature []int // from 1, of each column; 0: it is none
	features       int
	set            []int
	values         []string // of the features of a row that are not 0, with their numbers
}

// add reads a line @attribute NAME TYPE.
func (m *attributes) add(text string, labels []string) error {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return fmt.Errorf("%q, want @attribute NAME TYPE", text)
	}
	name := strings.Trim(fields[1], `'"`)
	if l := slices.Index(labels, name); l >= 0 {
		m.label, m.feature = append(m.label, l+1), append(m.feature, 0)
		return nil
	}
	m.features++
	m.label, m.feature = append(m.label, 0), append(m.feature, m.features)
	return nil
}

// complete returns an error unless each label has its column.
func (m *attributes) complete(labels []string) error {
	for l, name := range labels {
		if !slices.Contains(m.label, l+1) {
			return fmt.Errorf("no attribute of the label %s", name)
		}
	}
	return nil
}

// write writes a row.
func (m *attributes) write(out *bufio.Writer, text string) error {
	m.set, m.values = m.set[:0], m.values[:0]
	if inner, sparse := strings.CutPrefix(text, "{"); sparse {
		inner, ok := strings.CutSuffix(inner, "}")
		if !ok {
			return fmt.Errorf("a row that begins with { and does not end with }")
		}
		for pair := range strings.SplitSeq(inner, ",") {
			place, value, ok := strings.Cut(strings.TrimSpace(pair), " ")
			if !ok {
				continue // {}
			}
			c, err := strconv.Atoi(place)
			if err != nil {
				return err
			}
			if err := m.take(c, value); err != nil {
				return err
			}
		}
	} else {
		c := 0
		for value := range strings.SplitSeq(text, ",") {
			if err := m.take(c, value); err != nil {
				return err
			}
			c++
		}
		if c != len(m.label) {
			return fmt.Errorf("%d values, want %d", c, len(m.label))
		}
	}
	slices.Sort(m.set)
	for k, l := range m.set {
		if k > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Itoa(l))
	}
	for _, v := range m.values {
		out.WriteByte(' ')
		out.WriteString(v)
	}
	return out.WriteByte('\n')
}

// take takes the value of a column, from 0.
func (m *attributes) take(column int, value string) error {
	if column < 0 || column >= len(m.label) {
		return fmt.Errorf("column %d of %d", column, len(m.label))
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%q in column %d, want a number", value, column)
	}
	switch {
	case v == 0:
	case m.label[column] > 0:
		m.set = append(m.set, m.label[column])
	default:
		m.values = append(m.values, strconv.Itoa(m.feature[column])+":"+strconv.FormatFloat(v, 'g', -1, 64))
	}
	return nil
}
