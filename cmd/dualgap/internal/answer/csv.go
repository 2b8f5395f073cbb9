package answer

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// CSV returns what writes predictions as records, and the line before the first. The columns are
//
//	label, score_a, score_b, probability_a, probability_b                  of classes a and b
//	label_1, label_2, score_1, score_2, probability_1, probability_2       with K = 2
//	labels, and numbers as above                          of sets: commas between them, or as a JSON array
//	label, positive, score                                                 of rankers
//	label, score                                                           of rankers within queries: no label
func CSV(p *predictor.Predictor, o Options) (header string, line Line, err error) {
	if err := o.check(p); err != nil {
		return "", nil, err
	}
	if p.Ranks() || p.Task() == predictor.Numbers {
		o.Scores = false // there is one, in a column of its own
	}
	columns, order := o.columns(p), o.order(p)
	positive, negative := sides(p, func(names []string) string {
		if len(names) == 1 {
			return names[0]
		}
		return predictor.FormatNames(names)
	})
	record := make([]string, 0, len(columns))
	number := func(v float64) { record = append(record, string(appendNumber(nil, v, p))) }
	w := newRecords()
	return string(w.append(nil, columns)), func(b []byte, q *predictor.Prediction) []byte {
		record = record[:0]
		switch {
		case p.Task() == predictor.Top:
			label := negative
			if q.Positive {
				label = positive
			}
			record = append(record, label, strconv.FormatBool(q.Positive))
			number(q.Scores[0])
			if o.Probabilities {
				number(q.Probabilities[0])
			}
		case p.Task() == predictor.Queries:
			record = append(record, "")
			number(q.Scores[0])
		case p.Task() == predictor.Numbers:
			number(q.Scores[0])
		case o.K > 0:
			for _, c := range order(q) {
				record = append(record, p.Classes()[c])
			}
		case p.Task() == predictor.Sets:
			record = append(record, predictor.FormatNames(q.Labels))
		default:
			record = append(record, q.Label)
		}
		if o.Scores {
			for _, c := range order(q) {
				number(q.Scores[c])
			}
		}
		if o.Probabilities {
			for _, c := range order(q) {
				number(q.Probabilities[c])
			}
		}
		return w.append(b, record)
	}, nil
}

// columns returns their names.
func (o Options) columns(p *predictor.Predictor) []string {
	names, columns := p.Classes(), []string{"label"}
	switch {
	case p.Task() == predictor.Top:
		columns = append(columns, "positive", "score")
		if o.Probabilities {
			columns = append(columns, "probability")
		}
	case p.Task() == predictor.Queries:
		columns = append(columns, "score")
	case o.K > 0:
		names = make([]string, o.K)
		for j := range names {
			names[j] = strconv.Itoa(j + 1)
		}
		columns = prefixed(nil, "label_", names)
	case p.Task() == predictor.Sets:
		columns[0] = "labels"
	}
	if o.Scores {
		columns = prefixed(columns, "score_", names)
	}
	if o.Probabilities {
		columns = prefixed(columns, "probability_", names)
	}
	return columns
}

func prefixed(dst []string, prefix string, names []string) []string {
	for _, name := range names {
		dst = append(dst, prefix+name)
	}
	return dst
}

// records writes lines of CSV.
type records struct {
	buffer bytes.Buffer
	w      *csv.Writer
}

func newRecords() *records {
	r := new(records)
	r.w = csv.NewWriter(&r.buffer)
	return r
}

// append appends a line without its end. One empty field alone is quoted: readers of CSV skip empty lines.
func (r *records) append(b []byte, record []string) []byte {
	if len(record) == 1 && record[0] == "" {
		return append(b, `""`...)
	}
	r.buffer.Reset()
	r.w.Write(record) // a buffer takes everything
	r.w.Flush()
	return append(b, bytes.TrimSuffix(r.buffer.Bytes(), []byte("\n"))...)
}
