package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Cell is what a table says in a row and a column: a number, or the mean of several draws; beside it, perhaps, the
// number that the paper prints. The zero Cell is empty.
type Cell struct {
	draws   []float64
	printed *float64
	missing bool // printed as -
}

// Number returns the cell of a number.
func Number(v float64) Cell { return Cell{draws: []float64{v}} }

// Mean returns the cell of the mean and the spread of draws.
func Mean(draws []float64) Cell { return Cell{draws: draws} }

// Missing returns the cell of what could not be measured here.
func Missing() Cell { return Cell{missing: true} }

// Beside returns c beside the number that the paper prints.
func (c Cell) Beside(printed float64) Cell {
	c.printed = &printed
	return c
}

// Mean returns the mean of the draws, NaN where there are none.
func (c Cell) Mean() float64 {
	sum := 0.0
	for _, v := range c.draws {
		sum += v
	}
	return sum / float64(len(c.draws))
}

// Spread returns the standard deviation of one draw, 0 where there are less than two.
func (c Cell) Spread() float64 {
	if len(c.draws) < 2 {
		return 0
	}
	mean, sum := c.Mean(), 0.0
	for _, v := range c.draws {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(len(c.draws)-1))
}

// Difference returns ours less the paper's, NaN where one is missing.
func (c Cell) Difference() float64 {
	if c.printed == nil {
		return math.NaN()
	}
	return c.Mean() - *c.printed
}

// text returns ours, the paper's and the difference, "" where there is none.
func (c Cell) text(digits int) (ours, printed, difference string) {
	if c.missing {
		ours = "-"
	}
	if len(c.draws) > 0 {
		ours = fmt.Sprintf("%.*f", digits, c.Mean())
	}
	if len(c.draws) > 1 {
		ours += fmt.Sprintf(" ±%.*f", digits, c.Spread())
	}
	if c.printed != nil {
		printed = fmt.Sprintf("%.*f", digits, *c.printed)
	}
	if d := c.Difference(); d == d {
		if difference = fmt.Sprintf("%+.*f", digits, d); strings.Trim(difference, "+-0.") == "" {
			difference = difference[1:] // a zero has no sign
		}
	}
	return ours, printed, difference
}

// MarshalJSON writes what there is of value (the mean), spread, draws, paper and difference.
func (c Cell) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	put := func(name string, v float64) {
		if v-v == 0 { // JSON has finite numbers alone
			out[name] = v
		}
	}
	put("value", c.Mean())
	put("difference", c.Difference())
	if c.printed != nil {
		put("paper", *c.printed)
	}
	if len(c.draws) > 1 {
		put("spread", c.Spread())
		if v := c.Mean(); v-v == 0 {
			out["draws"] = c.draws
		}
	}
	return json.Marshal(out)
}
