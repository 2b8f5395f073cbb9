package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// facts are what inspect tells of a file, in order.
type facts struct {
	all   []fact
	table func(io.Writer) error // what follows in text, or nil
}

// fact is a line of text, or a member of an object of JSON. The text is "" where there is no line, the value nil where
// there is no member.
type fact struct {
	name, text string
	value      any
}

// row adds a line. In JSON it is the argument, where that is all of it, else the text.
func row(w *facts, name, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	var value any = text
	if len(args) == 1 && (format == "%d" || format == "%v") {
		value = args[0]
	}
	rowOf(w, name, value, "%s", text)
}

// rowOf adds a line that is value in JSON.
func rowOf(w *facts, name string, value any, format string, args ...any) {
	w.all = append(w.all, fact{name, fmt.Sprintf(format, args...), value})
}

// print writes lines of two columns.
func (f *facts) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range f.all {
		if row.text != "" {
			fmt.Fprintf(t, "%s\t%s\n", row.name, row.text)
		}
	}
	if err := t.Flush(); err != nil || f.table == nil {
		return err
	}
	return f.table(w)
}

// MarshalJSON returns the facts as one object. Its names have _ in place of blanks.
func (f *facts) MarshalJSON() ([]byte, error) {
	var o object
	for _, row := range f.all {
		if row.value != nil {
			o = append(o, member{strings.ReplaceAll(row.name, " ", "_"), row.value})
		}
	}
	return o.MarshalJSON()
}

// object is an object of JSON whose members have an order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// byName returns the object of these values.
func byName[E any](names []string, values []E) object {
	o := make(object, len(values))
	for j, v := range values {
		o[j] = member{names[j], v}
	}
	return o
}
