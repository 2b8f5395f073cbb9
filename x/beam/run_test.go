package beam

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/dualgap/dualgap/solvers/topk"
)

// TestAuditFaults: a step that fails once, by an error or a panic, when it reads rows, loads W, writes its result or
// renames it, changes no bit; one that fails three times is an error.
func TestAuditFaults(t *testing.T) {
	a := train(t, hinge, topk.TopKHinge, 0)
	rows := split(t, scheme+a.path, a.format, 100)
	want, report, err := Audit(t.Context(), driver(t), a.problem, a.w, rows)
	check(t, err)
	plain := a.w.Path
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
		t.Errorf("%d attempts, %v, want 3 and %v", attempts, err, errOnce)
	}
	told := new(RunError)
	if !errors.As(err, &told) || len(told.Attempts) != 3 || strings.ContainsAny(err.Error(), "\n[") {
		t.Errorf("%q, want the cause in a line, and the errors of 3 attempts", err)
	}
	failWith(t, func(operation, name string) error { panic("panics always") })
	_, _, err = Audit(t.Context(), driver(t), a.problem, Asset{plain, a.w.SHA256}, rows)
	if want := "panic: panics always (a pipeline failed in 3 attempts)"; err == nil || err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

// TestStopped: a context that has ended is told, and no pipeline runs.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	calls := 0
	d := Driver{Run: func(context.Context, *beam.Pipeline) error { calls++; stop(); return errOnce }}
	for range 2 {
		if err := d.run(ctx, func(beam.Scope) {}); !errors.Is(err, context.Canceled) || calls != 1 {
			t.Errorf("%d runs, %v, want 1 and %v", calls, err, context.Canceled)
		}
	}
}

// TestCause: the last step's error, or the panic without its stack; another text is told as it is.
func TestCause(t *testing.T) {
	for said, want := range map[string]string{
		"job failed:\nplan\n1: x\n\tcaused by:\nDoFn[UID:1, Name: a] failed:\nrow 3\nis NaN": "row 3; is NaN",
		"job failed:\npanic: no\nFull error:\nstack\n\tcaused by:\nmore":                     "panic: no",
		"plan\n\tcaused by:\nno memory":                                                      "no memory",
		"cannot connect":                                                                     "cannot connect",
	} {
		if got := cause(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
