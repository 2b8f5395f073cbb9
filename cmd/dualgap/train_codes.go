package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Codes is the flag of the families that train on features.
type Codes struct {
	Codes string `group:"data" placeholder:"M[,BITS]" help:"Train on examples compressed to M codes of BITS bits, 8 by default or 4: M bytes an example, or half as many. What that costs is told in the end. The model takes examples as they are."`
}

// validate is called by the Validate of families.
func (c *Codes) validate(t *Training) (err error) {
	t.codes, err = parseCodes(c.Codes)
	return err
}

// parseCodes returns what "16" or "16,4" says of a quantizer: M is 0 where there is to be none.
func parseCodes(text string) (c pq.Config, err error) {
	if text == "" {
		return c, nil
	}
	m, bits, two := strings.Cut(text, ",")
	c = pq.Config{NBits: 8, Uneven: true}
	if c.M, err = strconv.Atoi(m); err != nil || c.M < 1 {
		return c, usage("--codes %s: want a number of codes of 1 at least, and bits: 8 or 4, such as 16,4", text)
	}
	if two {
		if c.NBits, err = strconv.Atoi(bits); err != nil || c.NBits != 8 && c.NBits != 4 {
			return c, usage("--codes %s: want codes of 8 or 4 bits", text)
		}
	}
	return c, nil
}

// compressed is examples as codes, and some of them as they are.
type compressed[T vec.Float] struct {
	rows  []int         // the examples that are kept
	exact vec.Matrix[T] // these as they are
	size  int           // bytes of the codes of all
	whole float64       // bytes of all examples in numbers of T
	lost  float64       // the share of their variance
}

const (
	codeRows = 4096 // that are encoded at a time
	keptRows = 4096 // that show in the end what codes cost
)

// compress puts codes in the place of the examples, and returns what is to be told of them; nil without the flag.
func compress[T vec.Float](ctx context.Context, t *Training, e *data.Examples[T]) (*compressed[T], error) {
	if t.codes.M == 0 {
		return nil, nil
	}
	n, d := e.X.Dims()
	few := min(n, 256<<t.codes.NBits)
	bytes := float64(n)*float64(t.codes.M) + 4*float64(d)*float64(3*few+codeRows)
	if err := memory.Need("compressing the examples takes", bytes); err != nil {
		return nil, err
	}
	c := t.codes
	c.Seed, c.Workers = t.Seed, t.Workers
	q, err := pq.Train(ctx, narrowed(e.X, spreadRows(n, few)), c)
	if err != nil {
		return nil, fmt.Errorf("--codes %d,%d: %w", c.M, c.NBits, err)
	}
	codes := make([]byte, n*q.CodeSize())
	z := &compressed[T]{rows: spreadRows(n, min(n, keptRows)), size: len(codes),
		whole: float64(n) * float64(d) * float64(unsafe.Sizeof(T(0)))}
	if z.lost, err = encode(q, codes, e.X, t.Workers); err != nil {
		return nil, fmt.Errorf("--codes %d,%d: %w", c.M, c.NBits, err)
	}
	x, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{Workers: 1})
	if err != nil {
		return nil, err
	}
	z.exact = vec.NewMatrix[T](len(z.rows), d)
	e.X.Gather(z.exact, z.rows)
	e.Coded, _ = any(x).(design.Matrix[T])
	if e.Coded == nil {
		e.Coded = any(design.Float64[float32](x)).(design.Matrix[T])
	}
	return z, nil
}

// spreadRows returns m of n rows, spread evenly.
func spreadRows(n, m int) []int {
	rows := make([]int, m)
	for p := range rows {
		rows[p] = int(int64(p) * int64(n) / int64(m))
	}
	return rows
}

// narrowed returns rows of x in float32.
func narrowed[T vec.Float](x design.Matrix[T], rows []int) vec.Matrix[float32] {
	_, d := x.Dims()
	own := vec.NewMatrix[T](len(rows), d)
	x.Gather(own, rows)
	if same, ok := any(own).(vec.Matrix[float32]); ok {
		return same
	}
	narrow := vec.NewMatrix[float32](len(rows), d)
	for i := range rows {
		for j, v := range own.Row(i) {
			narrow.Row(i)[j] = float32(v)
		}
	}
	return narrow
}

// encode sets the codes of x, and returns the share of the variance of the examples about their mean that they lose.
func encode[T vec.Float](q *pq.Quantizer, codes []byte, x design.Matrix[T], workers int) (lost float64, err error) {
	n, d := x.Dims()
	mean, error2, squares := make([]float64, d), 0.0, 0.0
	decoded := vec.NewMatrix[float32](min(n, codeRows), d)
	for from := 0; from < n; from += codeRows {
		rows := make([]int, min(codeRows, n-from))
		for p := range rows {
			rows[p] = from + p
		}
		part, to := narrowed(x, rows), decoded.Slice(0, len(rows), 0, d)
		own := codes[from*q.CodeSize() : (from+len(rows))*q.CodeSize()]
		if err := q.Encode(own, part, workers); err != nil {
			return 0, err
		}
		if err := q.Decode(to, own, workers); err != nil {
			return 0, err
		}
		for i := range rows {
			error2 += float64(vec.SquaredDistance(part.Row(i), to.Row(i)))
			squares += float64(vec.SquaredNorm(part.Row(i)))
			vec.MixedAxpy(1/float64(n), part.Row(i), mean)
		}
	}
	variance := squares - float64(n)*vec.SquaredNorm(mean)
	if !(variance > 0) {
		return 0, nil
	}
	return error2 / variance, nil
}

// told says what the codes cost: m is what the family measures first, of the examples that are kept.
func (z *compressed[T]) told(r *trained[T], x design.Matrix[T], m metric, workers int) (string, error) {
	text := fmt.Sprintf("codes of %.4g MB in place of %.4g MB, %.1f times smaller; they lose %.3g%% of the variance",
		float64(z.size)/1e6, z.whole/1e6, z.whole/float64(z.size), 100*z.lost)
	measure := func(x design.Matrix[T]) (float64, error) {
		_, outputs := r.model.Dims()
		scores := vec.NewMatrix[T](len(z.rows), outputs)
		if err := r.model.ScoresWorkers(scores, x, nil, workers); err != nil {
			return 0, err
		}
		wide := vec.NewMatrix[float64](len(z.rows), outputs)
		for i := range z.rows {
			for j, v := range scores.Row(i) {
				wide.Row(i)[j] = float64(v)
			}
		}
		return m.Of(wide, z.rows)
	}
	coded, err := measure(design.Subset(x, z.rows))
	if err != nil {
		return text, err
	}
	exact, err := measure(&dataset.Dense[T]{Matrix: z.exact})
	if err != nil {
		return text, err
	}
	return text + fmt.Sprintf("\n%s of %d training examples: %s by their codes, %s as they are", m.Name, len(z.rows),
		m.text(coded, 2), m.text(exact, 2)), nil
}
