package crossval

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers/internal/train"
)

// kind and version of the files that hold what a cross-validation has measured.
const (
	kind    = "path"
	version = 1
)

// identity says what the measures are of: the training id at the first point, the grid, the parts, the names of the
// measures. The functions of measures are beyond it.
func (s *search[T, P, R]) identity(id train.Identity) train.Identity {
	data := id.Data
	id.Settings += fmt.Sprintf("\ngrid %v, %d parts, measures", s.Grid, s.folds)
	for _, m := range s.Measures {
		id.Settings += fmt.Sprintf(" %q", m.Name)
	}
	id.Data = sync.OnceValue(func() []byte {
		h := sha256.New()
		h.Write(data())
		for _, f := range s.Fold {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(f)))
		}
		return h.Sum(nil)
	})
	return id
}

// write writes the state.
func (s *search[T, P, R]) write(to io.Writer) error {
	w := container.NewWriter(to, kind, version)
	s.id.Write(w)
	for _, values := range s.values {
		w.Ints("meas", len(values))
		container.Floats(w, "meas", values)
	}
	_, err := w.Close()
	return err
}

// load reads a state.
func (s *search[T, P, R]) load(from io.Reader) error {
	r, err := container.Open(from)
	if err != nil {
		return err
	}
	r.Expect(kind, version)
	if r.Err() != nil {
		return r.Err()
	}
	if err := s.id.Check(r); err != nil {
		return err
	}
	most := len(s.Grid) * len(s.Measures)
	for f := range s.values {
		count := r.Ints("meas", 1)
		if r.Err() != nil {
			return r.Err()
		}
		if n := count[0]; n < 0 || n > most || n%max(1, len(s.Measures)) != 0 {
			r.Corrupt("%d measures of part %d, want at most %d, %d of each point", n, f, most, len(s.Measures))
			return r.Err()
		}
		s.values[f] = container.ReadFloats[float64](r, "meas", count[0])
	}
	for _, f := range s.parts {
		s.done += s.known(f)
	}
	return r.Close()
}
