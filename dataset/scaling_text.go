package dataset

import (
	"fmt"
	"maps"
	"strings"
)

// ScalingNote is the key under which the notes of a model say how its training data were scaled.
const ScalingNote = "scaling"

// Note returns a copy of the notes of a model that says besides that its examples are scaled by s, which goes into the
// file of the model with them:
//
//	notes, err := s.Note(model.Notes())
//	model = model.WithNotes(notes)
//
// [ScalingOf] finds it there. It returns the errors of MarshalText.
func (s *Scaling) Note(notes map[string]string) (map[string]string, error) {
	text, err := s.MarshalText()
	if err != nil {
		return nil, err
	}
	notes = maps.Clone(notes)
	if notes == nil {
		notes = map[string]string{}
	}
	notes[ScalingNote] = string(text)
	return notes, nil
}

// ScalingOf returns the Scaling of a model with these notes, to be applied to new examples: one that changes nothing,
// where they tell of none.
func ScalingOf(notes map[string]string) (*Scaling, error) {
	s := new(Scaling)
	text, ok := notes[ScalingNote]
	if !ok {
		return s, nil
	}
	return s, s.UnmarshalText([]byte(text))
}

// MarshalText returns s as lines, each only where s has it: "shift" and "factor", behind either the number of each
// column in the shortest form that reads back to the same number, and "unit rows". It is an error if shifts and factors
// are not equally many, or one is not finite.
func (s *Scaling) MarshalText() ([]byte, error) {
	if err := s.check(max(len(s.Shift), len(s.Factor)), false); err != nil {
		return nil, err
	}
	var text []byte
	for _, line := range []struct {
		word    string
		numbers []float64
	}{{"shift", s.Shift}, {"factor", s.Factor}} {
		if line.numbers == nil {
			continue
		}
		text = append(text, line.word...)
		for _, v := range line.numbers {
			text = appendNumber(append(text, ' '), v)
		}
		text = append(text, '\n')
	}
	if s.UnitRows {
		text = append(text, "unit rows\n"...)
	}
	return text, nil
}

// UnmarshalText makes s the Scaling that MarshalText wrote. Anything else is an error that names the line.
func (s *Scaling) UnmarshalText(text []byte) error {
	var read Scaling
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		to := map[string]*[]float64{"shift": &read.Shift, "factor": &read.Factor}[word]
		switch {
		case word == "unit" && rest == "rows" && !read.UnitRows:
			read.UnitRows = true
			continue
		case to == nil || *to != nil:
			return fmt.Errorf("dataset: line %d of a scaling: found %s, "+
				"want shift, factor or unit rows, each once", number, quote(line))
		}
		*to = []float64{}
		for field := range strings.FieldsSeq(rest) {
			v, ok := parseNumber[float64](field)
			if ok != finite {
				return fmt.Errorf("dataset: line %d of a scaling: found %s, want %s", number, quote(field),
					ok.want(8))
			}
			*to = append(*to, v)
		}
	}
	if err := read.check(max(len(read.Shift), len(read.Factor)), false); err != nil {
		return err
	}
	*s = read
	return nil
}
