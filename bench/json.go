package main

import (
	"encoding/json"
	"io"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/search"
)

// jsonLines prints one object a line: first the machine, then each benchmark, with the parts of its name and the values
// by their units. Times are in seconds.
type jsonLines struct{ *json.Encoder }

func newJSON(w io.Writer) jsonLines { return jsonLines{json.NewEncoder(w)} }

func (j jsonLines) machine(s *results.Set) error {
	return j.Encode(struct {
		Machine map[string]string `json:"machine"`
	}{object(s.Config)})
}

func object(pairs []results.Pair) map[string]string {
	m := map[string]string{}
	for _, p := range pairs {
		m[p.Key] = p.Value
	}
	return m
}

func (j jsonLines) kernels(lines []results.Line) error {
	for _, l := range lines {
		values := map[string]float64{}
		for _, v := range l.Values {
			if v.Number-v.Number == 0 { // JSON has finite numbers alone
				values[v.Unit] = v.Number
			}
		}
		err := j.Encode(struct {
			Benchmark string             `json:"benchmark"`
			Of        map[string]string  `json:"of"`
			Values    map[string]float64 `json:"values"`
		}{l.Base, object(l.Keys), values})
		if err != nil {
			return err
		}
	}
	return nil
}

func (j jsonLines) family(s *results.Set, family string) error {
	var lines []results.Line
	for _, l := range s.Lines {
		if l.Key("family") == family {
			lines = append(lines, l)
		}
	}
	return j.kernels(lines)
}

func (j jsonLines) search(s *results.Set) error { return j.kernels(s.Where(search.Base)) }

func (j jsonLines) workers(lines []results.Line) error { return j.kernels(lines) }

func (j jsonLines) wrote([]string) error { return nil }

func (j jsonLines) headline(string) error { return nil }
