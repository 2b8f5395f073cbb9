package answer

import (
	"bytes"
	"encoding/json"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// JSON returns what writes predictions as JSON objects:
//
//	{"label":"a","labels":["a"],"scores":{"a":1.5,"b":-2},"probabilities":{"a":0.9,"b":0.1}}
//	{"label":null,"labels":["x","z"]}       of sets; the label is null, too, where a side has several classes
//	{"label":"spam","labels":["spam"],"positive":true,"score":1.5}        of rankers, with "probability" if asked for
//	{"label":null,"labels":[],"score":1.5}              of rankers within queries, and of models of numbers
func JSON(p *predictor.Predictor, o Options) (Line, error) { return NewObjects(p).Line(o) }

// Objects are what JSON needs to know of a model: those who write many few lines find it once. It is safe for many
// goroutines.
type Objects struct {
	p     *predictor.Predictor
	names [][]byte // of the classes, as JSON
	all   []int
}

// NewObjects finds it.
func NewObjects(p *predictor.Predictor) *Objects {
	own := &Objects{p, make([][]byte, len(p.Classes())), upTo(len(p.Classes()))}
	for c, name := range p.Classes() {
		own.names[c] = appendString(nil, name)
	}
	return own
}

// Line is JSON.
func (own *Objects) Line(o Options) (Line, error) {
	p, names := own.p, own.names
	if err := o.check(p); err != nil {
		return nil, err
	}
	order := func(*predictor.Prediction) []int { return own.all }
	if o.K > 0 {
		order = o.order(p)
	}
	return func(b []byte, q *predictor.Prediction) []byte {
		b = own.label(append(b, `{"label":`...), q)
		b = append(b, `,"labels":[`...)
		if o.K > 0 {
			for j, c := range order(q) {
				b = append(comma(b, j), names[c]...)
			}
		} else {
			b = own.labels(b, q)
		}
		b = append(b, ']')
		if p.Task() == predictor.Top {
			b = append(b, `,"positive":false,"score":`...)
			if q.Positive {
				b = append(b[:len(b)-len(`false,"score":`)], `true,"score":`...)
			}
			b = appendNumber(b, q.Scores[0], p)
			if o.Probabilities {
				b = appendNumber(append(b, `,"probability":`...), q.Probabilities[0], p)
			}
			return append(b, '}')
		}
		if p.Task() == predictor.Queries || p.Task() == predictor.Numbers {
			return append(appendNumber(append(b, `,"score":`...), q.Scores[0], p), '}')
		}
		all := func(key string, of []float64) {
			b = append(b, key...)
			for j, c := range order(q) {
				b = append(append(comma(b, j), names[c]...), ':')
				b = appendNumber(b, of[c], p)
			}
			b = append(b, '}')
		}
		if o.Scores {
			all(`,"scores":{`, q.Scores)
		}
		if o.Probabilities {
			all(`,"probabilities":{`, q.Probabilities)
		}
		return append(b, '}')
	}, nil
}

// label appends the name of the class, or null.
func (own *Objects) label(b []byte, q *predictor.Prediction) []byte {
	switch {
	case q.Class >= 0:
		return append(b, own.names[q.Class]...)
	case q.Label != "":
		return appendString(b, q.Label)
	}
	return append(b, "null"...)
}

// labels appends the names of all classes that an example is said to have.
func (own *Objects) labels(b []byte, q *predictor.Prediction) []byte {
	switch {
	case q.Class >= 0:
		return append(b, own.names[q.Class]...)
	case own.p.Task() == predictor.Sets:
		n := 0
		for c, v := range q.Scores {
			if own.p.HasLabel(c, v) {
				b = append(comma(b, n), own.names[c]...)
				n++
			}
		}
	default:
		for j, name := range q.Labels {
			b = appendString(comma(b, j), name)
		}
	}
	return b
}

// comma appends what stands before element j.
func comma(b []byte, j int) []byte {
	if j > 0 {
		b = append(b, ',')
	}
	return b
}

// appendString appends a string as JSON.
func appendString(b []byte, s string) []byte {
	var buffer bytes.Buffer
	e := json.NewEncoder(&buffer)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string has no errors
	return append(b, bytes.TrimSuffix(buffer.Bytes(), []byte("\n"))...)
}
