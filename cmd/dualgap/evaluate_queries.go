package main

import (
	"strconv"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// byQuery is what is measured of one score that is to find positive examples, each group of examples by itself.
type byQuery struct {
	Queries  int     `json:"queries"`
	Positive int     `json:"positive"` // queries with a positive example, which the measures are means over
	NDCG     float64 `json:"ndcg10"`
	Graded   bool    `json:"graded"` // whether labels are the grades of the NDCG, not 1 for positive and 0
	MAP      float64 `json:"meanAveragePrecision"`
	Recall1  float64 `json:"recall1"`
	Recall10 float64 `json:"recall10"`
	MRR      float64 `json:"meanReciprocalRank"`
}

// ofQueries measures scores by the groups of e.
func ofQueries[T vec.Float](e *data.Examples[T], scores []float64, positive []bool) (*byQuery, error) {
	q, all, some := &byQuery{}, map[int]bool{}, map[int]bool{}
	for i, g := range e.Groups {
		all[g] = true
		if positive[i] {
			some[g] = true
		}
	}
	q.Queries, q.Positive = len(all), len(some)
	grades := gradesOf(e)
	if q.Graded = grades != nil; !q.Graded {
		grades = make([]int, len(positive))
		for i, is := range positive {
			if is {
				grades[i] = 1
			}
		}
	}
	for _, m := range []struct {
		to *float64
		of func() (float64, error)
	}{
		{&q.NDCG, func() (float64, error) { return metrics.NDCG(scores, grades, e.Groups, 10) }},
		{&q.MAP, func() (float64, error) { return metrics.MeanAveragePrecision(scores, positive, e.Groups) }},
		{&q.Recall1, func() (float64, error) { return metrics.RecallAtK(scores, positive, e.Groups, 1) }},
		{&q.Recall10, func() (float64, error) { return metrics.RecallAtK(scores, positive, e.Groups, 10) }},
		{&q.MRR, func() (float64, error) { return metrics.MeanReciprocalRank(scores, positive, e.Groups) }},
	} {
		var err error
		if *m.to, err = m.of(); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// gradesOf returns the labels as grades of relevance, where they are more than two and whole numbers from 0 to 30; else
// nil.
func gradesOf[T vec.Float](e *data.Examples[T]) []int {
	if e.Y == nil || len(e.Classes) < 3 {
		return nil
	}
	grades := make([]int, len(e.Y))
	for i, c := range e.Y {
		if c < 0 {
			return nil
		}
		v, err := strconv.Atoi(e.Classes[c])
		if err != nil || v < 0 || v > 30 {
			return nil
		}
		grades[i] = v
	}
	return grades
}

// facts tells the measures one by one.
func (q *byQuery) facts(tell func(name, format string, values ...any)) {
	tell("queries", "%d, %d of them with positive examples", q.Queries, q.Positive)
	name := "NDCG@10"
	if q.Graded {
		name += " of the labels as grades"
	}
	for _, m := range []struct {
		name  string
		value float64
	}{
		{name, q.NDCG}, {"mean average precision", q.MAP}, {"recall@1", q.Recall1}, {"recall@10", q.Recall10},
		{"mean reciprocal rank", q.MRR},
	} {
		tell(m.name, "%.5f", m.value)
	}
}
