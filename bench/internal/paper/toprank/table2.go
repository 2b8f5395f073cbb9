package toprank

import (
	"context"

	"github.com/dualgap/dualgap/bench/internal/report"
)

// table2 prints the sizes of the sets and of their parts.
func (c *command) table2(ctx context.Context) error {
	columns := []report.Column{{Name: "d"}}
	for _, name := range []string{"training", "validation", "test"} {
		columns = append(columns, report.Column{Name: name}, report.Column{Name: "positive %", Digits: 1})
	}
	t, err := c.Begin(report.Table{
		Name: "toprank-table2", Rows: "set", Columns: columns,
		Title: "Table 2: features, examples of each part and the share of positive ones",
	})
	if err != nil {
		return err
	}
	sets := c.sets
	if c.images != nil {
		sets = append(sets[:len(sets)-1:len(sets)-1], *c.images)
	}
	for _, s := range sets {
		if err := ctx.Err(); err != nil {
			return err
		}
		parts, err := s.split(c.seed)
		if err != nil {
			return err
		}
		cells := []report.Cell{report.Number(float64(s.train.x.Cols))}
		for k, p := range parts.parts() {
			theirs := printedSets[s.name]
			cells = append(cells, report.Number(float64(len(p.positive))).Beside(theirs[2*k]),
				report.Number(p.percent()).Beside(theirs[2*k+1]))
		}
		if err := t.Row(s.name, cells...); err != nil {
			return err
		}
	}
	return t.End()
}
