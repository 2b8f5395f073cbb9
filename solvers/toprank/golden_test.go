package toprank

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
)

var update = flag.Bool("update", false, "write the states in testdata anew")

// TestGoldenStates: states that were written once are read on every architecture: the one that is written then is the
// same but for the time that it tells, and training goes on to the tolerance. They are of a few small integers, which
// are the same numbers everywhere.
func TestGoldenStates(t *testing.T) {
	for name, change := range map[string]func(p *ranktruth.Problem){
		"dense":  func(p *ranktruth.Problem) { p.PatMat, p.Hinge, p.Tau = true, true, .25 },
		"kernel": func(p *ranktruth.Problem) { p.K, p.C = 3, 2 },
	} {
		p := ranktruth.Problem{Name: name, Kernel: kernel.Linear{}, C: .5, Theta1: 1, Theta2: 2}
		for i := range 12 {
			x := make([]float64, 3)
			for j := range x {
				x[j] = float64((5*i+3*j+i*j)%7-3) / 2
			}
			p.X, p.Positive = append(p.X, x), append(p.Positive, i%3 == 1)
		}
		change(&p)
		c := configOf(p)
		c.Tol, c.Seed, c.Workers = 1e-6, 11, 1
		r := resumable[float64]{name, func() Problem[float64] { return problemsOf[float64](t, p)[name] }, c}
		// Of version 1, which is not written any more, and of version 2.
		golden := [2]string{filepath.Join("testdata", "state-"+name+".bin"), filepath.Join("testdata",
			"state2-"+name+".bin")}
		if *update {
			asked := statetest.Soon(1 << 60)
			if _, err := r.make().Fit(asked, c); err != nil {
				t.Fatal(err)
			}
			state := stopped(t, r, nil, statetest.Soon((1<<60-asked.Left())/2))
			if err := os.WriteFile(golden[1], state, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for q, file := range golden {
			state, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if version := statetest.Version(state); version != q+1 {
				t.Errorf("%s: version %d, want %d", file, version, q+1)
			}
			if got := statetest.Differ(state, stopped(t, r, state, statetest.Soon(0))); got != "" ||
				len(statetest.Sections(state)) < 8 {
				t.Errorf("%s, written and written anew: %s", file, got)
			}
			got, err := r.make().Resume(context.Background(), bytes.NewReader(state), c)
			if err != nil || got.Status != solvers.Converged || got.Epochs < 4 {
				t.Fatalf("%s: %s, %v", file, told(got), err)
			}
			honest(t, p, r.make(), got)
		}
	}
}
