package familytest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// Trace returns the digest of what a training tells: each epoch, the outcome, the model and the dual variables. With
// parts it ends at the part-th of so many looks at its context, and the state belongs to what is told, but for the time
// in it, as does what becomes of the training when it resumes.
func Trace[P Problem[C, R], C, R any](t testing.TB, p P, c C, part, parts int64) hash.Hash {
	t.Helper()
	h := sha256.New()
	told := with(c, "Progress", func(p solvers.Progress) {
		fmt.Fprintln(h, p.Epoch, p.Primal, p.Dual, p.Certified, p.Partial)
	})
	end := func(r R, err error) hash.Hash {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(h, Bits(t, r))
		return h
	}
	if parts == 0 {
		return end(p.Fit(context.Background(), told))
	}
	var saved [][]byte
	saves, looks := saving(c, time.Hour, &saved), statetest.Soon(1<<60)
	if _, err := p.Fit(looks, saves); err != nil {
		t.Fatal(err)
	}
	_, err := p.Fit(statetest.Soon((1<<60-looks.Left())*part/parts), saves)
	if err != nil && !errors.Is(err, context.Canceled) || len(saved) == 0 {
		t.Fatalf("%d states, %v", len(saved), err)
	}
	state := saved[len(saved)-1]
	for _, section := range statetest.Steps(state) {
		if section.Tag != "clck" {
			h.Write(section.Body(state))
		}
	}
	return end(p.Resume(context.Background(), bytes.NewReader(state), told))
}
