package familytest

import (
	"context"
	"errors"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// progress: epochs are told in order, the last with the certificate of the result; a training that goes on from a state
// goes on counting, and so does its time.
func (f Family[P, C, R]) progress(t *testing.T) {
	long := 0
	for _, r := range f.Trainings {
		var first, second []solvers.Progress
		tell := func(to *[]solvers.Progress, then func(p solvers.Progress)) C {
			return With(r.Config, "Progress", func(p solvers.Progress) {
				*to = append(*to, p)
				then(p)
			})
		}
		whole, err := r.Make(t).Fit(context.Background(), tell(&first, func(solvers.Progress) {}))
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range first {
			if p.Epoch != k+1 || p.Primal != p.Primal || p.Dual != p.Dual {
				t.Errorf("%s: epoch %d told as %+v", r.Name, k+1, p)
			}
		}
		o, last := outcome(whole), first[len(first)-1]
		if dual := o.Certificate.Dual; !last.Certified || last.Epoch != o.Epochs || o.ModelEpoch == o.Epochs &&
			(last.Primal != o.Certificate.Primal || dual != last.Dual && dual != bestDual(first)) {
			t.Errorf("%s: %+v told last, but %v", r.Name, last, o)
		}
		if o.Epochs < 4 {
			continue
		}
		long++
		ctx, cancel := context.WithCancel(context.Background())
		var states [][]byte
		first = nil
		c := saving(tell(&first, func(p solvers.Progress) {
			if p.Epoch == 2 {
				cancel()
			}
		}), 0, &states)
		if _, err := r.Make(t).Fit(ctx, c); !errors.Is(err, context.Canceled) {
			t.Fatal(r.Name, err)
		}
		c = tell(&second, func(solvers.Progress) {})
		if _, err := f.fit(context.Background(), r.Make(t), states[0], c); err != nil {
			t.Fatal(r.Name, err)
		}
		if first[1].Epoch != 2 || second[0].Epoch != 3 || second[0].Elapsed < first[1].Elapsed {
			t.Errorf("%s: %+v, resumed with %+v", r.Name, first[1], second[0])
		}
	}
	if long == 0 {
		t.Error("no training takes four epochs")
	}
}
