package mkl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/mkl"
)

// Stop a training after its second epoch, and go on with its state later.
func ExampleProblem_Resume() {
	b, kinds := gaussians()
	p, c := mkl.Problem[float64]{Bundle: b, Y: kinds}, mkl.Config{P: 1.1, C: 10, Tol: 1e-5}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var state bytes.Buffer // or a file
	stopped := c
	stopped.Progress = func(p solvers.Progress) {
		if p.Epoch == 2 {
			cancel()
		}
	}
	stopped.Checkpoint.Save = func(write func(io.Writer) error) error {
		state.Reset()
		return write(&state)
	}
	early, err := p.Fit(ctx, stopped)
	fmt.Println(early.Status, "after", early.Epochs, "epochs:", err)

	late, err := p.Resume(context.Background(), &state, c)
	if err != nil {
		log.Fatal(err)
	}
	never, err := p.Fit(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(late.Status, "with the bits of a training that never stopped:",
		slices.Equal(late.Duals.Data, never.Duals.Data) && slices.Equal(late.Eta, never.Eta))
	// Output:
	// canceled after 2 epochs: context canceled
	// converged with the bits of a training that never stopped: true
}
