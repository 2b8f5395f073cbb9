package ascent

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
)

// TestStateOfRounds: several workers that are stopped in the middle of epochs, and go on in another process, take the
// steps of those that never stop.
func TestStateOfRounds(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(47, 48)), 1100, 20, 6)
	f := design.Matrix[float32](x)
	for name, p := range map[string]Problem[float32]{
		"hinge": hinge(t, f, y, 6, 2, 1e-3), "R": labelled(t, f, 6, 20, false),
		"R without an inverse": labelled(t, f, 6, 3, false),
	} {
		testStateOfRounds(t, name, p)
	}
}

func testStateOfRounds(t *testing.T, name string, p Problem[float32]) {
	t.Helper()
	sizes := []int{1, 8, 64}
	if testing.Short() {
		sizes = sizes[1:2]
	}
	for _, size := range sizes {
		o := Options{Options: solvers.Options{Tol: 1e-9, Workers: 2}, Round: 32, BlockSize: size}
		want, got, stops := training(t, p, o), training(t, p, o), 0
		if want.rounds.least == 0 {
			t.Fatal("one worker")
		}
		for epoch := 1; epoch <= 12; epoch++ {
			want.Epoch(context.Background())
			for whole, k := false, 1; !whole; k++ {
				if _, whole = got.Epoch(soon(1 + (epoch+k)%4)); whole {
					break
				}
				var state bytes.Buffer
				w := container.NewWriter(&state, "state", 1)
				got.Save(w)
				if _, err := w.Close(); err != nil {
					t.Fatal(err)
				}
				r, err := container.Open(&state)
				if err != nil {
					t.Fatal(err)
				}
				got = training(t, p, o)
				if got.Load(r); r.Close() != nil {
					t.Fatal(r.Close())
				}
				stops++
			}
			if epoch%5 == 0 {
				certify(t, Solver[float32](want))
				certify(t, Solver[float32](got))
				want.Reconsider()
				got.Reconsider()
			}
			if !slices.Equal(want.a.Data, got.a.Data) || !slices.Equal(want.weights.Data, got.weights.Data) ||
				want.counts != got.counts {
				t.Fatalf("%s, blocks of %d, epoch %d, after %d stops: %+v, want %+v", name,
					size, epoch, stops, got.counts,
					want.counts)
			}
		}
		if stops < 12 {
			t.Errorf("%s: %d stops", name, stops)
		}
	}
}
