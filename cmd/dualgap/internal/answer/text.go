package answer

import (
	"strings"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// Text returns what writes predictions as lines of words, and the line before the first, "" for none:
//
//	a               a class
//	x,z             labels with commas between them; an empty line for none
//	spam 1.5        of a ranker the class and the score: 3,8 where the side has several classes, !3,8 where the other
//	                side has them; with Probabilities the probability of the positive side behind it, and the line
//	                "label score probability" before the first
//	1.5             of a ranker within queries, the score, behind the line "score"
//	a c b           with K the best classes
//	a 1.5 -2 .1     with one kind of numbers, behind the label or the labels a number for each class, whose names the
//	                first line has
//
// A name that could be taken for another there, since it has what separates names or a line break, begins with a quote
// or is empty, is quoted as in JSON. K, Scores and Probabilities exclude each other.
func Text(p *predictor.Predictor, o Options) (header string, line Line, err error) {
	if err := o.check(p); err != nil {
		return "", nil, err
	}
	numbers := o.Probabilities || o.Scores
	switch {
	case o.K > 0:
		names, order := inLine(p.Classes(), " "), o.order(p)
		return "", func(b []byte, q *predictor.Prediction) []byte {
			for j, c := range order(q) {
				if j > 0 {
					b = append(b, ' ')
				}
				b = append(b, names[c]...)
			}
			return b
		}, nil
	case p.Task() == predictor.Top:
		positive, negative := Sides(p)
		if o.Probabilities {
			header = sureHeader
		}
		return header, func(b []byte, q *predictor.Prediction) []byte {
			label := negative
			if q.Positive {
				label = positive
			}
			b = appendNumber(append(append(b, label...), ' '), q.Scores[0], p)
			if o.Probabilities {
				b = appendNumber(append(b, ' '), q.Probabilities[0], p)
			}
			return b
		}, nil
	case p.Task() == predictor.Numbers:
		return "", func(b []byte, q *predictor.Prediction) []byte { return appendNumber(b, q.Scores[0], p) }, nil
	case p.Task() == predictor.Queries:
		return queriesHeader, func(b []byte, q *predictor.Prediction) []byte { return appendNumber(b, q.Scores[0], p) },
			nil
	case !numbers:
		return "", labels(p, ""), nil
	}
	label := labels(p, " ")
	return "labels " + strings.Join(inLine(p.Classes(), " "), " "), func(b []byte, q *predictor.Prediction) []byte {
		b = label(b, q)
		of := q.Scores
		if o.Probabilities {
			of = q.Probabilities
		}
		for _, v := range of {
			b = appendNumber(append(b, ' '), v, p)
		}
		return b
	}, nil
}

// queriesHeader is the line before the scores of a ranker within queries, and sureHeader before probabilities of
// others.
const (
	queriesHeader = "score"
	sureHeader    = "label score probability"
)

// labels returns what appends the label of an example, or its labels. What stands behind is apart by the characters
// apart.
func labels(p *predictor.Predictor, apart string) Line {
	if p.Task() == predictor.Classes {
		names := inLine(p.Classes(), apart)
		return func(b []byte, q *predictor.Prediction) []byte { return append(b, names[q.Class]...) }
	}
	names := inLine(p.Classes(), apart+",")
	return func(b []byte, q *predictor.Prediction) []byte {
		from := len(b)
		for c, v := range q.Scores {
			if p.HasLabel(c, v) {
				if len(b) > from {
					b = append(b, ',')
				}
				b = append(b, names[c]...)
			}
		}
		return b
	}
}

// Sides returns what the two sides of a ranker are called in a line of text.
func Sides(p *predictor.Predictor) (positive, negative string) {
	return sides(p, func(names []string) string { return strings.Join(inLine(names, " ,"), ",") })
}

// sides returns the names of the two sides: "!" and the positive classes where the names of the others are not known,
// since any name might be the one of another class.
func sides(p *predictor.Predictor, list func([]string) string) (positive, negative string) {
	positive = list(p.Positive())
	if negative = p.Negative(); negative == "" {
		return positive, "!" + positive
	}
	return positive, list([]string{negative})
}

// inLine returns names as they stand in a line where the characters apart separate them.
func inLine(names []string, apart string) []string {
	all := make([]string, len(names))
	for c, name := range names {
		all[c] = name
		if name == "" || name[0] == '"' || strings.ContainsAny(name, apart+"\n\r") {
			all[c] = string(appendString(nil, name))
		}
	}
	return all
}
