package workers

import (
	"context"
	"errors"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
)

func measure(ctx context.Context, filter string, done func([]results.Line) error) (*results.Set, error) {
	out := new(results.Set)
	return out, Measure(ctx, regexp.MustCompile(filter), true, new(progress.Bar), out, done)
}

func TestCounts(t *testing.T) {
	for cores, want := range map[int][]int{1: {1}, 2: {1, 2}, 3: {1, 2, 3}, 6: {1, 2, 4, 6}, 16: {1, 2, 4, 8, 16}} {
		if got := Counts(cores); !slices.Equal(got, want) {
			t.Errorf("%d cores: %v, want %v", cores, got, want)
		}
	}
}

// Every job ends by every number of workers, and trainings say how many passes they took.
func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trains many models")
	}
	told := 0
	s, err := measure(t.Context(), "", func(lines []results.Line) error {
		told += len(lines)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := Counts(runtime.GOMAXPROCS(0))
	if told != len(jobs)*len(counts) || len(s.Lines) != told {
		t.Errorf("%d lines, told %d, want %d jobs by %d numbers of workers", len(s.Lines), told, len(jobs), len(counts))
	}
	for _, j := range jobs {
		training := regexp.MustCompile("^(topk|m3l|toprank|tracenorm|mkl)").MatchString(j.name)
		for _, n := range counts {
			lines := s.Where(Base, "job", j.name, "workers", n)
			if len(lines) != 1 || !(lines[0].Value(results.Seconds) > 0) || (lines[0].Value("passes") > 0) != training {
				t.Errorf("%s by %d workers: %+v", j.name, n, lines)
			}
		}
	}
}

// The filter chooses jobs; what done returns, and a context that ended, end the run.
func TestEnds(t *testing.T) {
	full := errors.New("no space left")
	s, err := measure(t.Context(), "job=gemm 1024$", func([]results.Line) error { return full })
	if !errors.Is(err, full) || len(s.Lines) != len(Counts(runtime.GOMAXPROCS(0))) {
		t.Errorf("%v, %d lines", err, len(s.Lines))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err = measure(ctx, "gemm|tracenorm", func([]results.Line) error { return nil })
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "gemm 1024") || s.Lines != nil {
		t.Errorf("a context that has ended: %v, %d lines", err, len(s.Lines))
	}
}
