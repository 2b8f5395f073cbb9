package familytest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"iter"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// Trace returns the digest of what a training tells: each epoch, the outcome, the model and the dual variables. With
// parts above 0 it ends after that share, part of parts, of its looks at its context, and the state belongs to what is
// told, but for the time in it, as does what becomes of the training when it resumes.
func Trace[P Problem[C, R], C, R any](t testing.TB, p P, c C, part, parts int64) hash.Hash {
	t.Helper()
	h := sha256.New()
	told := With(c, "Progress", Noted(h))
	end := func(r R, err error) hash.Hash {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(h, Bits(t, r))
		return h
	}
	if parts == 0 {
		return end(p.Fit(context.Background(), told))
	}
	state, err := stopped(t, p, c, part, parts)
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for _, section := range statetest.Steps(state) {
		if section.Tag != "clck" {
			h.Write(section.Body(state))
		}
	}
	return end(p.Resume(context.Background(), bytes.NewReader(state), told))
}

// Noted returns a function for Progress that notes in h what each epoch tells.
func Noted(h hash.Hash) func(solvers.Progress) {
	return func(p solvers.Progress) {
		fmt.Fprintln(h, p.Epoch, p.Primal, p.Dual, p.Certified, p.Partial, p.Rounding)
	}
}

// stopped trains until a share, part of parts, of a training's looks at its context, and returns the last state and the
// training's error.
func stopped[P Problem[C, R], C, R any](t testing.TB, p P, c C, part, parts int64) (state []byte, err error) {
	t.Helper()
	var saved [][]byte
	saves, looks := saving(c, time.Hour, &saved), statetest.Soon(1<<60)
	if _, err := p.Fit(looks, saves); err != nil {
		t.Fatal(err)
	}
	_, err = p.Fit(statetest.Soon((1<<60-looks.Left())*part/parts), saves)
	if len(saved) == 0 {
		t.Fatal("no state, ", err)
	}
	return saved[len(saved)-1], err
}

// Refusals returns the digest of what becomes of a training's states with another number in each place where a section
// begins and where it ends, and with sections and matrices of other sizes: with what error they are refused, or that
// the training goes on. It fails where no damage is refused.
func Refusals[P Problem[C, R], C, R any](t testing.TB, p P, c C) hash.Hash {
	t.Helper()
	state, err := stopped(t, p, c, 1, 2)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want the end of the context", err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	h, refused := sha256.New(), 0
	try := func(bad []byte, told ...any) {
		_, err := p.Resume(ended, bytes.NewReader(containertest.Sealed(bad)), c)
		if err != nil && !errors.Is(err, context.Canceled) {
			refused++
		}
		fmt.Fprintln(h, append(told, err)...)
	}
	all := statetest.Sections(state)
	for k, s := range all {
		if s.Tag == "clck" || s.Tag == "iden" || s.Tag == "data" {
			continue
		}
		for at, number := range damages(s) {
			bad := slices.Clone(state)
			copy(bad[at:], number)
			try(bad, s.Tag, at-s.From, number)
		}
		for _, more := range []int{-1, 1} {
			try(s.Longer(state, more), s.Tag, "longer by", more)
			if rows, cols := s.Shape(state); rows > 0 && k+1 < len(all) && all[k+1].Len() == rows*cols {
				bad := all[k+1].Longer(state, more*cols)
				binary.LittleEndian.PutUint64(bad[s.From:], uint64(rows+more))
				try(bad, s.Tag, "more rows", more)
				bad = all[k+1].Longer(state, more*rows)
				binary.LittleEndian.PutUint64(bad[s.From+8:], uint64(cols+more))
				try(bad, s.Tag, "more columns", more)
			}
		}
	}
	if refused == 0 {
		t.Error("all damaged states are taken")
	}
	return h
}

// damages yields other numbers for the first and the last places of a section.
func damages(s statetest.Section) iter.Seq2[int, []byte] {
	size, low := 1, binary.LittleEndian
	numbers := [][]byte{{0}, {255}}
	switch s.Kind {
	case 'i':
		size, numbers = 4, nil
		for _, v := range []int32{-1, 0, math.MaxInt32} {
			numbers = append(numbers, low.AppendUint32(nil, uint32(v)))
		}
	case 'f':
		size, numbers = 4, nil
		for _, v := range []float64{-1, 0, math.NaN()} {
			numbers = append(numbers, low.AppendUint32(nil, math.Float32bits(float32(v))))
		}
	case 'l':
		size, numbers = 8, nil
		for _, v := range []int64{-1, 0, 1 << 40} {
			numbers = append(numbers, low.AppendUint64(nil, uint64(v)))
		}
	case 'd':
		size, numbers = 8, nil
		for _, v := range []float64{-1, 0, 1e200, math.NaN()} {
			numbers = append(numbers, low.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	return func(yield func(int, []byte) bool) {
		const first, last = 10, 1
		for at := s.From; at < s.To; at += size {
			if from, to := (at-s.From)/size, (s.To-at)/size; from >= first && to > last {
				continue
			}
			for _, n := range numbers {
				if !yield(at, n) {
					return
				}
			}
		}
	}
}
