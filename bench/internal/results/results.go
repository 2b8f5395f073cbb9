// Package results holds what the command bench measures, in Go's benchmark format, which benchstat reads too: lines of
// configuration such as "cpu: name", and lines of a benchmark's name, which says by key=value parts what was measured,
// and of its values with their units. A curve is a benchmark for each of its points.
package results

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Set is what a run measured.
type Set struct {
	Config []Pair // about the machine and the program
	Lines  []Line
}

// Pair is a key and what it stands for.
type Pair struct{ Key, Value string }

// Line is a benchmark: its name, and what was measured.
type Line struct {
	Base   string // of the name
	Keys   []Pair // of the name
	Iters  int
	Values []Value
}

// Value is a number and its unit: sec/op and B/op rather than ns/op and MB/op, as benchfmt has it.
type Value struct {
	Number float64
	Unit   string
}

// Seconds is the unit of the time of one operation, a call or a training.
const Seconds = "sec/op"

// Get returns the value of a line of configuration, or "".
func (s *Set) Get(key string) string { return get(s.Config, key) }

// Key returns the value of a part of the name, or "".
func (l Line) Key(key string) string { return get(l.Keys, key) }

// Int returns the whole number that a part of the name says, or 0.
func (l Line) Int(key string) int {
	n, _ := strconv.Atoi(l.Key(key))
	return n
}

func get(pairs []Pair, key string) string {
	for _, p := range pairs {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// Value returns the number with the unit, or NaN.
func (l Line) Value(unit string) float64 {
	for _, v := range l.Values {
		if v.Unit == unit {
			return v.Number
		}
	}
	return math.NaN()
}

// Name returns the name without the word Benchmark.
func (l Line) Name() string {
	name := l.Base
	for _, p := range l.Keys {
		name += "/" + p.Key + "=" + p.Value
	}
	return name
}

// Parts returns the parts of a name from keys and values in turn.
func Parts(s ...any) (keys []Pair) {
	for k := 0; k+1 < len(s); k += 2 {
		keys = append(keys, Pair{fmt.Sprint(s[k]), fmt.Sprint(s[k+1])})
	}
	return keys
}

// Where returns the lines with the base and all of the given parts of a name, keys and values in turn.
func (s *Set) Where(base string, parts ...any) (found []Line) {
next:
	for _, l := range s.Lines {
		if l.Base != base {
			continue
		}
		for _, p := range Parts(parts...) {
			if l.Key(p.Key) != p.Value {
				continue next
			}
		}
		found = append(found, l)
	}
	return found
}

// spaces stand as _ in files, where a name ends at the first space.
var written, read = strings.NewReplacer(" ", "_", "\t", "_", "\n", "_"), strings.NewReplacer("_", " ")

// Write writes the set, numbers with seven digits. Those that are not finite are left out.
func (s *Set) Write(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	var config []benchfmt.Config
	for _, p := range s.Config {
		config = append(config, benchfmt.Config{Key: p.Key, Value: []byte(p.Value), File: true})
	}
	for _, l := range s.Lines {
		r := benchfmt.Result{Config: config, Name: benchfmt.Name(written.Replace(l.Name())), Iters: max(l.Iters, 1)}
		for _, v := range l.Values {
			if v.Number-v.Number != 0 {
				continue
			}
			value := benchfmt.Value{Value: short(v.Number), Unit: v.Unit}
			if v.Unit == Seconds { // as go test writes times
				value.OrigValue, value.OrigUnit = short(v.Number*1e9), "ns/op"
			}
			r.Values = append(r.Values, value)
		}
		if r.Values == nil {
			continue
		}
		if err := out.Write(&r); err != nil {
			return err
		}
	}
	return nil
}

// short rounds to the seven digits that are worth writing.
func short(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
	return v
}

// Read reads a set; name is the file's, for errors.
func Read(r io.Reader, name string) (*Set, error) {
	s := new(Set)
	in := benchfmt.NewReader(r, name)
	for in.Scan() {
		switch record := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			if s.Lines == nil {
				for _, c := range record.Config {
					s.Config = append(s.Config, Pair{c.Key, string(c.Value)})
				}
			}
			s.Lines = append(s.Lines, line(record))
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if s.Lines == nil {
		return nil, fmt.Errorf("%s: holds no benchmark", name)
	}
	return s, nil
}

func line(r *benchfmt.Result) Line {
	base, parts, _ := strings.Cut(r.Name.String(), "/")
	l := Line{Base: read.Replace(base), Iters: r.Iters}
	for part := range strings.SplitSeq(parts, "/") {
		if key, value, ok := strings.Cut(part, "="); ok {
			l.Keys = append(l.Keys, Pair{key, read.Replace(value)})
		}
	}
	for _, v := range r.Values {
		l.Values = append(l.Values, Value{v.Value, v.Unit})
	}
	return l
}

// Open reads the set in a file.
func Open(file string) (*Set, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(content), file)
}

// Save writes the set into a file.
func (s *Set) Save(file string) error {
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}
