package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

//go:embed excuses.txt
var excusesText string

// excuses are the reasons why mutants compute the same, by their keys, or by FILE: const NAME.
type excuses map[string]string

func readExcuses(text string) excuses {
	e := excuses{}
	for line := range strings.Lines(text) {
		if key, why, ok := strings.Cut(strings.TrimSpace(line), " // "); ok && line[0] != '#' {
			e[key] = why
		}
	}
	return e
}

// of returns the reason why a mutant is excused, and its key; "" if it is not.
func (e excuses) of(s site) (key, why string) {
	for _, key := range s.keys() {
		if why, ok := e[key]; ok {
			return key, why
		}
	}
	return "", ""
}

// A survey tests some mutants and says what became of each.
type survey struct {
	most, workers int
	tests         *tests
	out           io.Writer
	excused       excuses

	mutex                      sync.Mutex // of what follows
	caught, survived, forgiven int
}

// run is an error if a test cannot be run, or if less than the least share of the mutants that are not excused is
// caught.
func (s *survey) run(found []*mutant, least float64) error {
	drawn, err := s.draw(found)
	if err != nil {
		return err
	}
	for round := 0; ; round++ {
		asked := slices.DeleteFunc(slices.Clone(drawn), func(m *mutant) bool {
			return m.by != "" || round >= len(m.judges)
		})
		if len(asked) == 0 {
			break
		}
		slices.SortStableFunc(asked, func(a, b *mutant) int {
			return strings.Compare(a.judges[round].ImportPath, b.judges[round].ImportPath)
		})
		if err := s.judge(asked, round); err != nil {
			return err
		}
	}
	for _, m := range drawn {
		if m.by == "" {
			s.tell(m, &s.survived, "SURVIVED")
		}
	}
	share := float64(s.caught) / float64(max(s.caught+s.survived, 1))
	fmt.Fprintf(s.out, "%d caught, %d survived, %d excused: %.1f%%\n", s.caught, s.survived, s.forgiven, 100*share)
	if share < least {
		return fmt.Errorf("%.1f%% are caught, want %.1f%%", 100*share, 100*least)
	}
	return nil
}

// draw chooses the first mutants that compile, and tells of those among them that are excused.
func (s *survey) draw(found []*mutant) (drawn []*mutant, err error) {
	for {
		for len(found) > 0 && len(drawn)+s.forgiven < s.most {
			if _, why := s.excused.of(found[0].site); why != "" {
				s.tell(found[0], &s.forgiven, "excused: "+why)
			} else {
				drawn = append(drawn, found[0])
			}
			found = found[1:]
		}
		n := len(drawn)
		if drawn, err = s.tests.compile(drawn); err != nil || len(drawn) == n {
			return drawn, err
		}
	}
}

// judge asks each mutant's judge of a round.
func (s *survey) judge(asked []*mutant, round int) error {
	next := make(chan *mutant)
	failed := make(chan error, s.workers)
	for range s.workers {
		go func() {
			var err error
			for m := range next {
				if err == nil {
					err = s.ask(m, m.judges[round])
				}
			}
			failed <- err
		}()
	}
	for _, m := range asked {
		next <- m
	}
	close(next)
	var err error
	for range s.workers {
		err = errors.Join(err, <-failed)
	}
	return err
}

func (s *survey) ask(m *mutant, p *pkg) error {
	by, err := s.tests.judge(m, p)
	if err != nil {
		return fmt.Errorf("%s: %w", m.site, err)
	}
	if by != "" {
		m.by = p.ImportPath + " " + by
		s.tell(m, &s.caught, "caught by "+m.by)
	}
	return nil
}

// tell counts a mutant and says what became of it.
func (s *survey) tell(m *mutant, count *int, what string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	*count++
	fmt.Fprintf(s.out, "%3d %s\n    %s\n", s.caught+s.survived+s.forgiven, m.site, what)
}
