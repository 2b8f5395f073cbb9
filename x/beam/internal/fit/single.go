package fit

import (
	"context"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/topk"
)

// Single is topk's Fit in float32: the file of the model, with notes.
func Single(
	ctx context.Context, x design.Matrix[float32], y []int, c topk.Config, notes map[string]string,
) ([]byte, error) {
	r, err := topk.Fit(ctx, x, y, c)
	if err != nil {
		return nil, err
	}
	return file(r.Model.WithNotes(notes))
}
