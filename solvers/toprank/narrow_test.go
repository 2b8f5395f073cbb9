package toprank

import (
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
)

// TestNarrow: numbers of float32 end within 1e-6, certified in float64, though the scores that steps go by are rounded.
func TestNarrow(t *testing.T) {
	for _, p := range ranktruth.Read(t, "testdata") {
		q := problemsOf[float32](t, p)["kernel"]
		c := configOf(p)
		c.Tol = 1e-6
		t.Run(p.Name, func(t *testing.T) { honest(t, p, q, solve(t, q, c)) })
	}
}
