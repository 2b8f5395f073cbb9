package beam

import (
	"errors"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/topk"
)

// TestAuditFaults: a step that fails once, by an error or a panic, when it reads rows, loads W, writes its result or
// renames it, changes no bit; one that fails three times is an error.
func TestAuditFaults(t *testing.T) {
	a := train(t, hinge, topk.TopKHinge, 0)
	rows := split(t, scheme+a.path, a.format, 100)
	want, report, err := Audit(t.Context(), driver(t), a.problem, a.w, rows)
	check(t, err)
	a.w.Path, a.problem.Duals = scheme+a.w.Path, scheme+a.problem.Duals
	for _, c := range []struct {
		operation, name string
		number          int32
		panics          bool
	}{
		{"open", "rows.f8", 5, false}, {"open", "rows.f8", 5, true}, {"open", "duals.f8", 2, false},
		{"write", "result", 1, false}, {"write", "result", 1, true}, {"rename", "result", 1, false},
	} {
		now, failed := once(c.number), false
		failWith(t, func(operation, name string) error {
			if operation == c.operation && strings.Contains(name, c.name) && now() {
				failed = true
				if c.panics {
					panic("panics once")
				}
				return errOnce
			}
			return nil
		})
		d := driver(t)
		d.Dir = scheme + d.Dir
		got, r, err := Audit(t.Context(), d, a.problem, a.w, rows)
		if err != nil || got != want || r != report || !failed {
			t.Errorf("%+v: %v, %+v, %v, failed %v, want %v, %+v", c, got, r, err, failed, want, report)
		}
	}

	attempts := 0
	failWith(t, func(operation, name string) error {
		if operation == "open" && strings.Contains(name, "rows.f8") {
			attempts++
			return errOnce
		}
		return nil
	})
	_, _, err = Audit(t.Context(), driver(t), a.problem, a.w, rows)
	if err == nil || attempts != 3 || !strings.Contains(err.Error(), errOnce.Error()) {
		t.Errorf("%d attempts, %v, want 3 and %v", attempts, errors.Unwrap(err), errOnce)
	}
}
