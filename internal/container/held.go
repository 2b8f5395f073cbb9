package container

import "slices"

// Sections are some sections in memory, to be written more than once. They take as many bytes as in a file.
type Sections [][]byte

// Hold returns the sections that a function writes.
func Hold(sections func(*Writer)) (Sections, error) {
	var held Sections
	w := newWriter(&held)
	sections(w)
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return held, w.err
}

// Write takes up a copy of some bytes: it makes Sections what a Writer writes to.
func (s *Sections) Write(b []byte) (int, error) {
	*s = append(*s, slices.Clone(b))
	return len(b), nil
}

// Append writes the sections.
func (s Sections) Append(w *Writer) {
	for _, b := range s {
		w.write(b)
	}
}
