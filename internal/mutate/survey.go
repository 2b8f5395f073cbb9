package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"
)

//go:embed excuses.txt
var excuses string

// survey tests some of the mutants in order, without those that do not compile, and says what became of each.
type survey struct {
	found []mutant
	most  int
	tests *tests
	out   io.Writer

	excused map[string]string // the reasons, by the mutants' keys

	mutex                      sync.Mutex // of what follows
	next                       int
	caught, survived, forgiven int
}

func newSurvey(found []mutant, most int, t *tests, out io.Writer) *survey {
	s := &survey{found: found, most: most, tests: t, out: out, excused: map[string]string{}}
	for line := range strings.Lines(excuses) {
		if key, why, ok := strings.Cut(strings.TrimSpace(line), " // "); ok {
			s.excused[key] = why
		}
	}
	return s
}

// run is an error if a test cannot be run, or if less than the least share of the mutants that are not excused is
// caught.
func (s *survey) run(workers int, least float64) (err error) {
	failed := make(chan error, workers)
	for range workers {
		go func() { failed <- s.work() }()
	}
	for range workers {
		if e := <-failed; e != nil {
			err = e
		}
	}
	share := float64(s.caught) / float64(max(s.caught+s.survived, 1))
	fmt.Fprintf(s.out, "%d caught, %d survived, %d excused: %.1f%%\n", s.caught, s.survived, s.forgiven, 100*share)
	if err == nil && share < least {
		err = fmt.Errorf("%.1f%% are caught, want %.1f%%", 100*share, 100*least)
	}
	return err
}

func (s *survey) work() error {
	for {
		m, ok := s.take()
		if !ok {
			return nil
		}
		v, err := s.tests.run(m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.site, err)
		}
		s.tell(m, v)
	}
}

func (s *survey) done() int { return s.caught + s.survived + s.forgiven }

func (s *survey) take() (mutant, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.done() >= s.most || s.next == len(s.found) {
		return mutant{}, false
	}
	s.next++
	return s.found[s.next-1], true
}

func (s *survey) tell(m mutant, v verdict) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !v.compiled || s.done() >= s.most {
		return
	}
	word := "SURVIVED"
	switch why, ok := s.excused[m.key()]; {
	case v.by != "":
		s.caught++
		word = "caught by " + v.by
	case ok:
		s.forgiven++
		word = "excused: " + why
	default:
		s.survived++
	}
	fmt.Fprintf(s.out, "%3d %s\n    %s\n", s.done(), m.site, word)
}
