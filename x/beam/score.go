package beam

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

func init() {
	register.DoFn3x1[context.Context, Rows, func(Block), error](&scoreFn{})
	register.Emitter1[Block]()
}

// ScoreOptions says what the answers of a model are.
type ScoreOptions struct {
	// K is how many outputs a row's answer names, the largest scores first: K numbers of the outputs, integers of 4
	// bytes, then their K scores, of the model's type. Default: the scores of all outputs, and no numbers of outputs.
	// All have the low byte first.
	K       int
	Workers int // goroutines of a step; default: all cores
}

// Score returns a [Block] of answers for each element. Rows are raw: they are scaled as the notes of the model say. The
// model is of any kind and of any type of numbers.
func Score(s beam.Scope, m Asset, o ScoreOptions, rows beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("dualgap.Score"), &scoreFn{Model: m, Options: o, Job: scoreJob(m, o)}, rows)
}

func scoreJob(m Asset, o ScoreOptions) string { return jobOf("score", m, o.K) }

// scoreFn scores the rows of an element.
type scoreFn struct {
	Model   Asset
	Options ScoreOptions
	Job     string

	scorer scorer
}

// scorer is a model of either type of numbers.
type scorer interface {
	score(ctx context.Context, e Rows) ([]byte, error)
}

// Setup loads the model.
func (f *scoreFn) Setup(ctx context.Context) error {
	m, err := load(ctx, f.Model, parseModel)
	if err != nil {
		return err
	}
	f.scorer, err = m.scorer(f.Options)
	return err
}

// ProcessElement emits the block of an element.
func (f *scoreFn) ProcessElement(ctx context.Context, e Rows, emit func(Block)) error {
	data, err := f.scorer.score(ctx, e)
	if err != nil {
		return err
	}
	computed.Add(1)
	emit(Block{First: e.First, Count: e.Count, Job: blockJob(f.Job, e), Data: data})
	return nil
}

// models is a model of either type, with the scaling of its training data, nil if there was none.
type models struct {
	single  *model.Model[float32]
	double  *model.Model[float64]
	scaling *dataset.Scaling
}

func parseModel(b []byte) (m models, err error) {
	m.single, m.double, err = model.ReadAny(bytes.NewReader(b))
	if err != nil {
		return m, err
	}
	notes := m.single.Notes
	if m.single == nil {
		notes = m.double.Notes
	}
	if notes()[dataset.ScalingNote] != "" {
		m.scaling, err = dataset.ScalingOf(notes())
	}
	return m, err
}

func (m models) features() (d int) {
	if m.single != nil {
		d, _ = m.single.Dims()
		return d
	}
	d, _ = m.double.Dims()
	return d
}

func (m models) scorer(o ScoreOptions) (scorer, error) {
	if m.single != nil {
		return newScoring(m.single, m.scaling, o)
	}
	return newScoring(m.double, m.scaling, o)
}

// scoring scores rows of one type.
type scoring[T vec.Float] struct {
	model   *model.Model[T]
	scaling *dataset.Scaling
	options ScoreOptions
	reader  reader[T]
	scores  []T
	best    []int
}

func newScoring[T vec.Float](m *model.Model[T], s *dataset.Scaling, o ScoreOptions) (*scoring[T], error) {
	if _, outputs := m.Dims(); o.K < 0 || o.K > outputs {
		return nil, fmt.Errorf("beam: the best %d of %d outputs", o.K, outputs)
	}
	return &scoring[T]{model: m, scaling: s, options: o, best: make([]int, o.K)}, nil
}

func (s *scoring[T]) score(ctx context.Context, e Rows) ([]byte, error) {
	b, err := s.reader.read(ctx, e)
	if err != nil {
		return nil, err
	}
	x, err := b.scaled(s.scaling)
	if err != nil {
		return nil, fmt.Errorf("beam: %v: %w", e, err)
	}
	_, m := s.model.Dims()
	s.scores = resize(s.scores, e.Count*m)
	scores := vec.MatrixOf(e.Count, m, s.scores)
	if err := s.model.ScoresWorkers(scores, x, nil, cores(s.options.Workers)); err != nil {
		return nil, fmt.Errorf("beam: %v: %w", e, err)
	}
	for k, v := range s.scores {
		if v != v {
			return nil, fmt.Errorf("beam: row %d has the score NaN of output %d", e.First+int64(k/m), k%m)
		}
	}
	return s.answers(scores)
}

// answers returns the bytes that ScoreOptions tells of.
func (s *scoring[T]) answers(scores vec.Matrix[T]) (data []byte, err error) {
	if s.options.K == 0 {
		return binary.Append(make([]byte, 0, binary.Size(s.scores)), binary.LittleEndian, s.scores)
	}
	for i := range scores.Rows {
		solvers.Rank(s.best, scores.Row(i))
		for _, c := range s.best {
			data = binary.LittleEndian.AppendUint32(data, uint32(c))
		}
		for _, c := range s.best {
			if data, err = binary.Append(data, binary.LittleEndian, scores.Row(i)[c]); err != nil {
				return nil, err
			}
		}
	}
	return data, nil
}
