package toprank_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/toprank"
)

// Stop a training after its third epoch, and go on with its state later.
func ExampleProblem_Resume() {
	x, positive := goodReturns()
	p := toprank.Problem[float64]{X: x, Positive: positive}
	c := toprank.Config{Method: toprank.PatMat, Tol: 1e-6}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var state bytes.Buffer // or a file
	stopped := c
	stopped.Progress = func(p solvers.Progress) {
		if p.Epoch == 3 {
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
	fmt.Println(late.Status, "with the bits of a training that never stopped:", slices.Equal(late.Alpha, never.Alpha))
	// Output:
	// canceled after 3 epochs: context canceled
	// converged with the bits of a training that never stopped: true
}
