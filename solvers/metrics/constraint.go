package metrics

import (
	"fmt"
	"strconv"
	"strings"
)

// Constraint is what predicting "score >= threshold is positive" has to reach: made by [RecallAtLeast],
// [PrecisionAtLeast] or [FalseRateAtMost]. The zero value is none.
type Constraint struct {
	of    quantity
	bound float64
}

type quantity int

const (
	recall quantity = iota + 1
	precision
	falseRate
)

// quantities are the words of constraints in texts.
var quantities = [...]string{recall: "recall>=", precision: "precision>=", falseRate: "false-rate<="}

// RecallAtLeast asks for a part r of the positive examples, 0 < r <= 1, and for the largest precision.
func RecallAtLeast(r float64) Constraint { return Constraint{recall, r} }

// PrecisionAtLeast asks that a part p of what is predicted as positive is, 0 < p <= 1, and for the largest recall.
func PrecisionAtLeast(p float64) Constraint { return Constraint{precision, p} }

// FalseRateAtMost asks that no more than a part f of the negative examples is predicted as positive, 0 <= f < 1: of the
// false alarms, and for the largest recall.
func FalseRateAtMost(f float64) Constraint { return Constraint{falseRate, f} }

// String returns c as [ParseConstraint] reads it.
func (c Constraint) String() string {
	if c.of < recall || c.of > falseRate {
		return ""
	}
	return quantities[c.of] + strconv.FormatFloat(c.bound, 'g', -1, 64)
}

// ParseConstraint reads "recall>=0.95", "precision>=0.9" or "false-rate<=0.01", with blanks or without, and with =
// alone in place of the sign, which shells take for their own.
func ParseConstraint(text string) (Constraint, error) {
	short := strings.ReplaceAll(text, " ", "")
	for of := recall; of <= falseRate; of++ {
		number, ok := strings.CutPrefix(short, quantities[of])
		if !ok {
			number, ok = strings.CutPrefix(short, quantities[of][:len(quantities[of])-2]+"=")
		}
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(number, 64)
		if err == nil {
			c := Constraint{of, v}
			return c, c.check()
		}
	}
	return Constraint{}, fmt.Errorf("metrics: the constraint %q, want recall>=R, precision>=P or false-rate<=F", text)
}

// check returns an error unless the bound is one.
func (c Constraint) check() error {
	switch {
	case c.of < recall || c.of > falseRate:
		return fmt.Errorf("metrics: no constraint, want RecallAtLeast, PrecisionAtLeast or FalseRateAtMost")
	case c.of == falseRate && !(c.bound >= 0 && c.bound < 1):
		return fmt.Errorf("metrics: a false rate of at most %v, want a number of at least 0 and less than 1", c.bound)
	case c.of != falseRate && !(c.bound > 0 && c.bound <= 1):
		return fmt.Errorf("metrics: the constraint %v, want a number above 0 and at most 1", c)
	}
	return nil
}
