package topk

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// TestOtherStates: the state of another training is refused, whatever differs.
func TestOtherStates(t *testing.T) {
	for name, r := range small[float64](t) {
		state := readGolden(t, name)
		refuse := func(what, want string, p Problem[float64], c Config) {
			t.Helper()
			got, err := p.Resume(context.Background(), bytes.NewReader(state), c)
			if got != nil || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %s, %v", name, what, told(got), err)
			}
		}
		const data, settings = "topk: a state of another training: of other data",
			"topk: a state of another training: its settings are"
		for what, change := range map[string]func(p *Problem[float64]){
			"a number": func(p *Problem[float64]) { p.change(func(x *dataset.Dense[float64]) { x.Row(4)[2] += 1e-9 }) },
			"rows": func(p *Problem[float64]) {
				p.change(func(x *dataset.Dense[float64]) { swap(x.Row(3), x.Row(6)) })
			},
			"columns": func(p *Problem[float64]) {
				p.change(func(x *dataset.Dense[float64]) { x.Row(0)[0], x.Row(0)[3] = 9, 9 })
			},
			"a label":  func(p *Problem[float64]) { p.label(func(y []int) { y[5] = (y[5] + 1) % 3 }) },
			"labels":   func(p *Problem[float64]) { p.label(func(y []int) { y[0], y[1] = y[1], y[0] }) },
			"a weight": func(p *Problem[float64]) { p.Weights = []float64{1, 1, 1, 1, 1, 1, 1, 1, 1.0000001} },
			"fewer rows": func(p *Problem[float64]) {
				p.change(func(x *dataset.Dense[float64]) { x.Rows = 8 })
				p.label(func([]int) {})
			},
		} {
			p := r.make(t)
			change(&p)
			refuse(what, data, p, r.c)
		}
		if p := r.make(t); p.Kernel != nil {
			x := p.Kernel.Features()
			for what, k := range map[string]kernel.Kernel{
				"degree": kernel.Polynomial{Degree: 3, Offset: 1}, "offset": kernel.Polynomial{Degree: 2, Offset: 1.5},
				"scale": kernel.Polynomial{Degree: 2, Offset: 1, Scale: 2}, "kernel": kernel.Linear{},
				"Gaussian": kernel.Gaussian{Gamma: 1},
			} {
				p.Kernel = matrix(t, x, k, 0)
				refuse(what, data, p, r.c)
			}
			p.X, p.Kernel = x, nil
			refuse("features", settings, p, r.c) // where workers count
		}
		changed := 0
		for f := range reflect.TypeFor[Config]().Fields() {
			c := r.c
			v := reflect.ValueOf(&c).Elem().FieldByName(f.Name)
			switch f.Name {
			case "Epochs", "Progress", "Checkpoint": // may differ
				continue
			case "Loss":
				c.Loss = map[Loss]Loss{0: TopKUsunier, SquaredHinge: MultilabelHinge}[c.Loss]
			case "ClassWeights":
				if r.make(t).Sets != nil {
					continue
				}
				c.ClassWeights = []float64{1, 2, 1}
			case "K":
				if c.Loss == SquaredHinge {
					continue
				}
				c.K = 1
			case "Workers":
				if r.make(t).Kernel != nil { // the same bits for any number
					continue
				}
				c.Workers = 2
			case "Smoothing":
				if c.Loss == SquaredHinge {
					continue
				}
				c.Smoothing = .5
			case "Bias":
				if r.make(t).Kernel != nil {
					continue
				}
				c.Bias = 1
			case "Classes":
				c.Classes = 21
			default:
				switch v.Kind() {
				case reflect.Float64:
					v.SetFloat(v.Float() * 2)
				case reflect.Int:
					v.SetInt(v.Int() + 1)
				case reflect.Uint64:
					v.SetUint(v.Uint() + 1)
				default:
					t.Fatalf("Config.%s: a state must refuse another one, or this test say why not", f.Name)
				}
			}
			changed++
			want := settings
			if f.Name == "ClassWeights" { // they make the weights of the examples
				want = data
			}
			refuse(f.Name, want, r.make(t), c)
		}
		if changed < 8 {
			t.Errorf("%s: %d fields of Config changed", name, changed)
		}
		narrow := small[float32](t)[name]
		got, err := narrow.make(t).Resume(context.Background(), bytes.NewReader(state), narrow.c)
		if got != nil || err == nil {
			t.Errorf("%s: a state of float64 for float32: %s", name, told(got))
		}
		for other := range small[float64](t) {
			if other != name {
				got, err := r.make(t).Resume(context.Background(), bytes.NewReader(readGolden(t, other)), r.c)
				if got != nil || err == nil {
					t.Errorf("the state of %s for %s: %s", other, name, told(got))
				}
			}
		}
	}
}

// change changes the examples.
func (p *Problem[T]) change(f func(x *dataset.Dense[T])) {
	x := p.X
	if p.Kernel != nil {
		x = p.Kernel.Features()
	}
	n, d := x.Dims()
	a := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	x.Gather(a.Matrix, nil)
	f(a)
	switch {
	case p.Kernel != nil:
		k, err := kernel.New(design.Matrix[T](a), p.Kernel.Kernel(), 0)
		if err != nil {
			panic(err)
		}
		p.Kernel = k
	case design.IsSparse(x):
		p.X = sparse(a)
	default:
		p.X = a
	}
}

// label changes the labels, as many as there are examples.
func (p *Problem[T]) label(f func(y []int)) {
	n := 0
	if p.Kernel != nil {
		n = p.Kernel.Len()
	} else {
		n, _ = p.X.Dims()
	}
	y := make([]int, n)
	for i := range y {
		y[i] = i % 3
	}
	f(y)
	if p.Sets != nil {
		p.Sets = singles(y)
	} else {
		p.Y = y
	}
}

func swap(a, b []float64) {
	for j := range a {
		a[j], b[j] = b[j], a[j]
	}
}
