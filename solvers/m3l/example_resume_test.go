package m3l_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"slices"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
)

// Stop a training after its third epoch, and go on with its state later.
func ExampleProblem_Resume() {
	data := samples.Ionosphere[float64]()
	p := m3l.Problem[float64]{X: data.X, Y: data.Y}
	c := m3l.Config{C: .1}

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
	fmt.Println(late.Status, "with the bits of a training that never stopped:",
		slices.Equal(late.Duals.Data, never.Duals.Data))
	// Output:
	// canceled after 3 epochs: context canceled
	// converged with the bits of a training that never stopped: true
}
