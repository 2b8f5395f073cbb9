package toprank

import (
	"bytes"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
)

// TestNextIsSaved: a state says whether a certificate is next.
func TestNextIsSaved(t *testing.T) {
	p := some(30)[0]
	q := problemsOf[float64](t, p)["kernel"]
	c := configOf(p)
	prepared, err := q.prepare(c, c.options())
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() *training[float64] {
		s, err := newTraining(prepared.o, nil, q.Kernel)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, near := range []bool{false, true} {
		s, again := fresh(), fresh()
		s.activate(s.PositivesFirst(append([]int(nil), s.levels.At()...)))
		s.solver.Begin(s.part().First(s.levels.At()))
		s.certifyNext = near
		var file bytes.Buffer
		w := container.NewWriter(&file, "test", 1)
		s.Save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		if again.Load(r); r.Close() != nil || again.certifyNext != near {
			t.Errorf("near %t, want %t, %v", again.certifyNext, near, r.Err())
		}
	}
}
