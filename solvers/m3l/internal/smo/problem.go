package smo

import (
	"time"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Problem is what the method solves.
type Problem[T vec.Float] struct {
	Kernel  *kernel.Matrix[T]
	R       vec.Matrix[float64]                // L-by-L, symmetric, positive semidefinite, or empty: I
	Outputs int                                // L
	Labels  func(i int) []int                  // those of example i
	Margins func(i int, plus, minus []float64) // Δ+_il and Δ-_il of example i; nil: 0 and 2
	Cost    func(i, l int) float64             // C_il, the cost of that loss, not negative
}

// Options says how the method goes.
type Options struct {
	Tau        float64 // it ends when every projected gradient is smaller, > 0
	Iterations int     // of two variables each, at most; 0: no limit
	Every      int     // iterations between two steps of the history, > 0

	// ByLabel trains the labels one after the other, for an R that is empty or diagonal. Otherwise each iteration is at
	// the label that needs it most, L of them at a time.
	ByLabel bool
}

// Step is a point in the history.
type Step struct {
	Iterations int
	Dual       float64
	Elapsed    time.Duration
}
