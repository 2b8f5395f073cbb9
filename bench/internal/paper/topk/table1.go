package topk

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// table trains and prints all rows, and what they say of the paper's claims.
func (p *problem) table(ctx context.Context, r *report.Report, cs []float64) error {
	columns := []report.Column{{Name: "C", Digits: 3}}
	for _, k := range p.tops {
		columns = append(columns, report.Column{Name: fmt.Sprintf("top-%d", k), Digits: 2})
	}
	t, err := r.Begin(report.Table{
		Name: "topk-table1" + p.file, Columns: append(columns, report.Column{Name: "seconds", Digits: 1}),
		Title: "Table 1, " + p.name + fmt.Sprintf(", %d classes, %d training, %d validation, %d test images:\n"+
			"%% of the test images whose class is among the first guesses", p.m, len(p.y), len(p.valY), len(p.testY)),
		Rows: "loss",
	})
	if err != nil {
		return err
	}
	var worst [2]float64 // of the baselines, and of the others
	var found [2][][]float64
	for i, m := range slices.Concat(p.baselines, p.methods) {
		start := time.Now()
		c, got, err := p.row(ctx, m, cs)
		if err != nil {
			return err
		}
		cells := []report.Cell{report.Number(c)}
		for j, v := range got {
			cell := report.Number(v)
			if m.accuracy != nil {
				cell = cell.Beside(m.accuracy[j])
			}
			cells = append(cells, cell)
		}
		kind := 1
		if i < len(p.baselines) {
			kind = 0
		}
		found[kind], worst[kind] = append(found[kind], got), max(worst[kind], m.worst(got))
		cells = append(cells, report.Number(time.Since(start).Seconds()))
		if err := t.Row(m.String(), cells...); err != nil {
			return err
		}
	}
	notes := []string{p.ownNote()}
	if p.methods[0].accuracy != nil {
		notes = append(notes, fmt.Sprintf("largest difference of all: %.2f points; of one-vs-all %.2f, where the "+
			"paper's TopPush\nranks all classes together", worst[1], worst[0]))
	}
	if err := t.End(notes...); err != nil {
		return err
	}
	if err := p.claims(r, found[1]); err != nil {
		return err
	}
	return p.baselineClaim(r, found[0], found[1])
}
