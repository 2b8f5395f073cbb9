package svmtext

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Words come one by one, with their lines, however the text is cut into pieces.
func TestWord(t *testing.T) {
	const text = "\n a bc\r\n\t\n1:2 \n\nend"
	for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		r := NewReader(in, "x")
		for _, want := range []struct {
			word string
			line int
		}{{"a", 2}, {"bc", 2}, {"1:2", 4}, {"end", 6}} {
			if word, err := r.Word(); word != want.word || r.Line() != want.line || err != nil {
				t.Errorf("%q on line %d, error %v, want %v", word, r.Line(), err, want)
			}
		}
		for range 2 {
			if word, err := r.Word(); word != "" || err != io.EOF {
				t.Errorf("%q, error %v behind the end", word, err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	read := func(text string, f func(r *Reader) error) error {
		return f(NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "p: text"))
	}
	integer := func(r *Reader) error { _, err := r.Int("size", 3); return err }
	float := func(r *Reader) error { _, err := r.Float("rho"); return err }
	labels := func(r *Reader) error { _, err := r.Labels(2); return err }
	for want, err := range map[string]error{
		`p: text, line 2: size "2", want an integer from 3 to 2147483646`: read("\n2\n", integer),
		`size "2147483647", want`:                read("2147483647 ", integer),
		`size "3.5", want`:                       read("3.5 ", integer),
		`rho "1e999", want a finite`:             read("1e999 ", float),
		`rho "-Inf", want a finite`:              read("-Inf ", float),
		`rho "x", want a finite number`:          read("x ", float),
		`label "2147483648", want an i`:          read("1 2147483648 ", labels),
		"label 1 stands for the classes 0 and 1": read("1 1 ", labels),
		"p: text, line 1: broken":                read("12", integer),
		"goes on for more than 400 characters":   read(strings.Repeat("1", 401), integer),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := NewReader(strings.NewReader(" \n"), "p").Need("a word"); err == nil ||
		err.Error() != "p, line 2: the text ends, want a word" {
		t.Error(err)
	}
	if err := read("", float); !errors.Is(err, broken) {
		t.Errorf("%v does not wrap the reader's", err)
	}
	for _, text := range []string{"3 ", "2147483646 "} {
		if err := read(text, integer); err != nil {
			t.Error(err)
		}
	}
}
