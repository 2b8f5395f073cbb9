package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module is a module of two packages. The tests of package b see what the ones of a do not.
var module = map[string]string{
	"go.mod": "module m\n\ngo 1.26\n",
	"a/a.go": `package a

import "math"

var limit = 100

type Pair[T, S any] struct{ First T; Second S }

func (Pair[T, S]) Both(_ int, _ S, n int) int { return n + 2 }

func Sum[T int | float64](all ...T) (sum T) {
	defer func() { sum *= 2 }()
	for _, x := range all { sum += x }
	return sum
}

func Limited(n, _ int) int { return min(n+n, limit) }

func (p *Pair[T, S]) set(x T, _ struct{ A,
	B int }) { p.First = x; count++ }

var count int

func Forever(n int) { for n > 0 { n-- } }

func Above(n int) bool { return n > 9 }

func Name() string { return "a" + "b" }

func Least(x float64) bool { return x <= 5 || math.IsNaN(x) }

func init() { count += 3 }
`,
	"a/a_test.go": `package a

import (
	"reflect"
	"testing"
)

func Test(t *testing.T) {
	var p Pair[int, bool]
	p.set(8, struct{ A, B int }{})
	if Sum(1, 2.) != 6 || p.First != 8 || count != 4 { t.Fatal(Sum(1, 2), p, count) }
	Forever(5)
	if Limited(200, 0) != 100 || Name() != "ab" { t.Error() }
}

func TestMethods(t *testing.T) {
	var p Pair[int, bool]
	if n := reflect.TypeOf(p).NumMethod(); n != 1 || p.Both(0, true, 4) != 6 { t.Error(n) }
}
`,
	"b/b.go": "package b\n",
	"b/b_test.go": `package b

import (
	"m/a"
	"testing"
)

func Test(t *testing.T) { if a.Limited(3, 0) != 6 || a.Above(9) { t.Error(a.Limited(3, 0)) } }
`,
}

func write(t *testing.T, files map[string]string) {
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSurvey: what becomes of each mutant, together and alone.
func TestSurvey(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, module)
	found, err := choice{dirs: []string{"a"}, not: "^$", most: 2}.candidates()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := survey{most: len(found), workers: 2, tests: newTests(t.TempDir(), 5), out: &out,
		excused: excuses{"a/a.go: 9 -> 10: func Above(n int) bool { return n > 9 }": "some reason"}}
	if err := s.run(found, .9); err == nil || !strings.Contains(err.Error(), "are caught, want 90.0%") {
		t.Error(err)
	}
	var got []string
	what := regexp.MustCompile(`(?m)^ *\d+ a/a.go:\d+: (.*?): .*\n +(.*)$`)
	for _, m := range what.FindAllStringSubmatch(out.String(), -1) {
		got = append(got, m[1]+" "+m[2])
	}
	slices.Sort(got)
	want := []string{
		"+ -> - caught by m/a TestMethods", // it fails where the switches are in: this mutant is judged alone
		"+ -> - caught by m/a Test",
		"++ -> -- caught by m/a Test",
		"+= -> -= caught by m/a Test",
		"+= -> -= caught by m/a Test",
		"*= -> /= caught by m/a Test",
		"-- -> ++ caught by m/a signal: killed",
		"100 -> 101 caught by m/a Test", // outside functions
		"0 -> 1 SURVIVED",
		"2 -> 3 caught by m/a Test",
		"2 -> 3 caught by m/a TestMethods",
		"3 -> 4 caught by m/a Test",
		"5 -> 6 SURVIVED",
		"9 -> 10 excused: some reason",
		"<= -> < SURVIVED",
		"> -> >= SURVIVED",
		"> -> >= caught by m/b Test",
		"|| -> && SURVIVED",
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out.String())
	}
}

// TestUnsound: tests that fail without a mutant are an error.
func TestUnsound(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, module)
	write(t, map[string]string{"b/b_test.go": "package b\n\nimport (\n\"m/a\"\n\"testing\"\n)\n\n" +
		"func TestB(t *testing.T) { t.Error(a.Name()) }\n"})
	found, err := choice{dirs: []string{"a"}, not: "^$", only: "5 -> 6", most: 2}.candidates()
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	s := survey{most: 1, workers: 1, tests: newTests(t.TempDir(), 5), out: new(bytes.Buffer)}
	if err := s.run(found, 0); err == nil || !strings.Contains(err.Error(), "TestB of m/b fails without a mutant") {
		t.Error(err)
	}
}
