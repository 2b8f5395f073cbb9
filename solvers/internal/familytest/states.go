package familytest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// States is what the tests of saved states need to know.
type States[P Problem[C, R], C, R any] struct {
	Family[P, C, R] // its trainings are of small integers, which are the same numbers on every architecture

	// Data changes a problem in one thing or another that no other family has, so that its states are refused as of
	// other data; not ok where a training has no such thing.
	Data map[string]func(t testing.TB, p P) (changed P, ok bool)

	// Fields are the fields of a Config for which twice the number, the next integer or the other truth will not do.
	Fields map[string]Field[P, C]

	// Refuses are the sections of the states of a training in each of which some changes are refused, by name.
	Refuses map[string][]string

	// Spoilt says that dual variables of a state that are out of their domain are brought back by certificates alone,
	// so that Honest asks too much: a dual value above the primal one is what must not be.
	Spoilt bool

	// Other is any training in the other type, which refuses the states of this one.
	Other func(t testing.TB, state []byte) error
}

// Field says how a field of a Config is changed. The zero Field is one that may differ.
type Field[P, C any] struct {
	Set    func(c *C)
	Want   string              // what the error says; default: OtherSettings
	Unless func(p P, c C) bool // problems for which it may differ; default: none
}

// What errors say of a state of something else.
const (
	OtherData     = "a state of another training: of other data"
	OtherSettings = "a state of another training: its settings are"
)

// Run tests what states promise.
func (s States[P, C, R]) Run(t *testing.T) {
	t.Run("Golden", s.golden)
	t.Run("OthersAreRefused", s.refused)
	t.Run("Damage", s.damage)
	t.Run("Hostile", s.hostile)
	t.Run("Sealed", s.sealed)
}

// stateOf returns the file in testdata with a state of the training of that name.
func stateOf(name string) string { return containertest.Path("state-" + name) }

func read(t testing.TB, file string) []byte {
	t.Helper()
	state, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// golden: states that were written once are read on every architecture: what is written then is the same but for the
// time that it tells, and training goes on to the tolerance.
func (s States[P, C, R]) golden(t *testing.T) {
	for _, r := range s.Trainings {
		if *containertest.Update {
			_, questions := s.converged(t, r)
			state := s.Stopped(t, r, nil, statetest.Soon(questions/2))
			if err := os.WriteFile(stateOf(r.Name), state, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		state, p := read(t, stateOf(r.Name)), r.Make(t)
		if how := statetest.Differ(state, s.Stopped(t, r, state, statetest.Soon(0))); how != "" ||
			len(statetest.Steps(state)) < 8 {
			t.Errorf("%s, written and written anew: %s", r.Name, how)
		}
		got, err := p.Resume(context.Background(), bytes.NewReader(state), r.Config)
		if err != nil || outcome(got).Status != solvers.Converged || outcome(got).Epochs < 3 {
			t.Fatalf("%s: %s, %v", r.Name, Told(got), err)
		}
		s.Honest(t, p, r.Config, got)
	}
}

// refused: the state of another training is refused, whatever differs, and so is the state of another family.
func (s States[P, C, R]) refused(t *testing.T) {
	all, err := filepath.Glob("../*/testdata/state*.bin")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Trainings {
		state := read(t, stateOf(r.Name))
		refuse := func(what, want string, p P, c C, state []byte) {
			t.Helper()
			got, err := p.Resume(context.Background(), bytes.NewReader(state), c)
			if !none(got) || err == nil || !strings.HasPrefix(err.Error(), s.Name+": ") ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %s, %v, want %q", r.Name, what, Told(got), err, want)
			}
		}
		changes := 0
		data := otherData[P]()
		maps.Copy(data, s.Data)
		for what, change := range data {
			if p, ok := change(t, r.Make(t)); ok {
				changes++
				refuse(what, OtherData, p, r.Config, state)
			}
		}
		for field := range reflect.TypeFor[C]().Fields() {
			if slices.Contains([]string{"Epochs", "Progress", "Checkpoint"}, field.Name) { // may differ
				continue
			}
			c, p, want := r.Config, r.Make(t), OtherSettings
			if change, special := s.Fields[field.Name]; !special {
				another(t, reflect.ValueOf(&c).Elem().FieldByName(field.Name), field.Name)
			} else if change.Set == nil || change.Unless != nil && change.Unless(p, c) {
				continue
			} else {
				change.Set(&c)
				want = cmp.Or(change.Want, want)
			}
			changes++
			refuse(field.Name, want, p, c, state)
		}
		if changes < 8 {
			t.Errorf("%s: %d changes", r.Name, changes)
		}
		if err := s.Other(t, state); err == nil {
			t.Errorf("%s: a state of another type of numbers is taken", r.Name)
		}
		families := map[string]bool{}
		for _, file := range all {
			family := filepath.Base(filepath.Dir(filepath.Dir(file)))
			families[family] = true
			if family != filepath.Base(here) || filepath.Base(file) != filepath.Base(stateOf(r.Name)) {
				refuse("the state "+file, "", r.Make(t), r.Config, read(t, file))
			}
		}
		if len(families) < 5 {
			t.Errorf("states of the families %v alone", families)
		}
	}
}

// another sets a field to another value.
func another(t *testing.T, v reflect.Value, name string) {
	t.Helper()
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(v.Float() * 2)
	case reflect.Int:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		t.Fatalf("Config.%s: a state must refuse another one, or the table of the family say why not", name)
	}
}

// step is how many bytes of a state are skipped, so that about as many as most are looked at.
func step(bytes, most int) int {
	if testing.Short() {
		most /= 4
	}
	return 1 + bytes/most
}

// damage: every truncation of a state and every byte that is flipped is an error.
func (s States[P, C, R]) damage(t *testing.T) {
	for _, r := range s.Trainings {
		state, p := read(t, stateOf(r.Name)), r.Make(t)
		containertest.Damage(t, r.Name, state, 1+step(len(state), 1500), func(from io.Reader) error {
			got, err := p.Resume(context.Background(), from, r.Config)
			if !none(got) || err != nil && !strings.HasPrefix(err.Error(), s.Name+": ") {
				return fmt.Errorf("%s, %v", Told(got), err)
			}
			return err
		})
	}
}

// hostile: damage of all kinds, with checksums that are right and with such as are not, is an error or a state that a
// training goes on from, nothing panics, and Resume takes hardly more memory than with the state as it is: its training
// takes some, and a section whose bytes have not come 1 MiB.
func (s States[P, C, R]) hostile(t *testing.T) {
	for _, r := range s.Trainings {
		state, p := read(t, stateOf(r.Name)), r.Make(t)
		resume := func(state []byte) error {
			got, err := p.Resume(statetest.Soon(40), bytes.NewReader(state), r.Config)
			if !none(got) {
				return nil
			}
			return err
		}
		var most uint64
		for range 3 {
			took, err := damage.Taken(func() error { return resume(state) })
			if err != nil {
				t.Fatalf("%s: %v", r.Name, err)
			}
			most = max(most, took)
		}
		hostile := containertest.Hostile(r.Name, state, nil)
		hostile.Base += 2 * int(most)
		hostile.N, hostile.Read = 200, func(_ testing.TB, state []byte) error { return resume(state) }
		hostile.Unheld = true // states have the bits of the tier at hand, and a time
		hostile.Run(t)
	}
}

// sealed: numbers that make no state are errors too where the checksums are right, in whatever section they stand; from
// those that could be one a training goes on to a true certificate, and nothing panics.
func (s States[P, C, R]) sealed(t *testing.T) {
	for _, r := range s.Trainings {
		t.Run(r.Name, func(t *testing.T) {
			refused := s.reseal(t, r)
			for _, tag := range append(s.Refuses[r.Name], "data", "clck", "best", "seal") {
				if !refused[tag] {
					t.Errorf("nothing in section %q is refused", tag)
				}
			}
		})
	}
}

// reseal changes bytes of a state, and returns the sections of which a change is refused.
func (s States[P, C, R]) reseal(t *testing.T, r Training[P, C]) (refused map[string]bool) {
	state, p := read(t, stateOf(r.Name)), r.Make(t)
	refused = map[string]bool{}
	for _, section := range statetest.Sections(state) {
		if section.Tag == "what" {
			continue
		}
		for at := section.From; at < section.To; at += step(section.To-section.From, 200) {
			for _, v := range []byte{0xff, 0x7f, 0x80} {
				bad := slices.Clone(state)
				bad[at] ^= v
				got, err := s.unharmed(p, containertest.Sealed(bad), r.Config)
				what := fmt.Sprintf("section %q, byte %d ^ %x", section.Tag, at-section.From, v)
				switch {
				case none(got) && err != nil && !errors.Is(err, errPanic):
					refused[section.Tag] = true
				case none(got):
					t.Fatalf("%s: %v", what, err)
				default:
					if !s.Spoilt {
						s.Honest(t, p, r.Config, got)
					}
					if gap := outcome(got).Certificate.RelativeGap(); t.Failed() || !(gap >= -1e-9) {
						t.Fatalf("%s: %s", what, Told(got))
					}
				}
			}
		}
	}
	return refused
}

// Fuzz: whatever the bytes, with checksums that are right, the answer is an error or an honest result.
func (s States[P, C, R]) Fuzz(f *testing.F) {
	for k, r := range s.Trainings {
		state := read(f, stateOf(r.Name))
		for _, bad := range damage.Seeds(state, damage.Binary, 8) {
			f.Add(uint8(k), bad)
		}
	}
	f.Fuzz(func(t *testing.T, k uint8, state []byte) {
		r := s.Trainings[int(k)%len(s.Trainings)]
		p := r.Make(t)
		for _, state := range [][]byte{state, containertest.Sealed(state)} {
			got, err := p.Resume(statetest.Soon(400), bytes.NewReader(state), r.Config)
			if none(got) && err == nil {
				t.Fatal("neither a result nor an error")
			}
			if !none(got) {
				s.Honest(t, p, r.Config, got)
			}
		}
	})
}

var errPanic = errors.New("a panic")

// unharmed resumes for a while; a panic is an error.
func (s States[P, C, R]) unharmed(p P, state []byte, c C) (r R, err error) {
	defer func() {
		if e := recover(); e != nil {
			var no R
			r, err = no, fmt.Errorf("%w: %v", errPanic, e)
		}
	}()
	return p.Resume(statetest.Soon(400), bytes.NewReader(state), c)
}
