package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSites: each token that has another is found where it stands, and a mutant differs from the file in it alone.
func TestSites(t *testing.T) {
	const source = `package p

import "fmt"

// a + b in a comment
func f(a, b int) (sum int) {
	for i := 0; i < b && a != 7; i++ {
		if sum += a - i; sum >= b {
			break
		}
	}
	fmt.Println("a + b", true)
	return sum
}
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := sites(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		got = append(got, s.old+" "+s.new)
		changed := string(s.apply([]byte(source)))
		if want := source[:s.offset] + s.new + source[s.offset+len(s.old):]; changed != want || changed == source {
			t.Errorf("%v: %s", s, changed)
		}
		if line := strings.Split(source, "\n")[s.line-1]; strings.TrimSpace(line) != s.text {
			t.Errorf("%v is not line %q", s, line)
		}
	}
	slices.Sort(got)
	want := []string{"!= ==", "&& ||", "++ --", "+= -=", "- +", "0 1", "7 8", "< <=", ">= >",
		"break continue", "true false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestExcuses: each excuse is one of a token that is there, and stands once.
func TestExcuses(t *testing.T) {
	t.Chdir("../..")
	used := map[string]bool{}
	all := readExcuses(excusesText)
	if lines := strings.Count(excusesText, "\n") - 1; lines != len(all) { // but for the first one
		t.Errorf("%d excuses of %d mutants", lines, len(all))
	}
	for key := range all {
		file, _, _ := strings.Cut(key, ": ")
		found, err := sites(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found {
			key, _ := all.of(s)
			used[key] = true
		}
	}
	for key := range all {
		if !used[key] {
			t.Errorf("no mutant is excused by %q", key)
		}
	}
}

// TestConstants: tokens of a constant's declaration know its name, and comparisons by order the names beside them.
func TestConstants(t *testing.T) {
	const source = `package p

const (
	a    = 1
	b, c = 2, 3
)

func f(n int) bool { const d = 4; return n < a && b+5 >= n && n == c && d > 6 }
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := sites(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		got = append(got, s.old+" "+strings.Join(s.constants, " "))
	}
	slices.Sort(got)
	want := strings.Split("&& ,&& ,&& ,+ ,1 a,2 b c,3 b c,4 d,5 ,6 ,< n a,== ,> d,>= n", ",")
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLeft: the signs of infinities, capacities and what stands beside an error stay as they are.
func TestLeft(t *testing.T) {
	const source = `package p

func f(x float64, a []int) (int, bool, error) {
	a = append(make([]int, 1*4, 2*len(a)), a[3:]...)
	in := bufio.NewReaderSize(r, 2<<16)
	u, w := strconv.ParseFloat(s, 64), strconv.ParseFloat(s, 32)
	if math.IsInf(x, -1) || math.IsInf(x, 0) || x == math.Copysign(4, -1) || x < math.Inf(1) || x == math.NaN() {
		return 5, true, fmt.Errorf("%d", 6)
	} else if err := g(7); err != nil {
		return 8, false, err
	}
	return 9, true, nil
}
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := sites(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		if s.old[0] >= '0' && s.old[0] <= '9' || s.old == "true" || s.old == "false" || s.old == "*" {
			got = append(got, s.old)
		}
	}
	if want := []string{"*", "1", "4", "3", "32", "0", "4", "6", "7", "9", "true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestJudges: a package's own tests come first, then the ones in folders around it that import it, then its other
// importers', the nearest first, and of those as near the ones beside it in the tree; packages without tests are left
// out.
func TestJudges(t *testing.T) {
	tests := []string{"a_test.go"}
	all := map[string]*pkg{
		"m/a/b":   {ImportPath: "m/a/b", TestGoFiles: tests},
		"m/c":     {ImportPath: "m/c", Imports: []string{"m/a/b", "m/other"}, TestGoFiles: tests},
		"m/g":     {ImportPath: "m/g", Imports: []string{"m/a/b"}, TestGoFiles: tests},
		"m/a/d":   {ImportPath: "m/a/d", XTestImports: []string{"m/a/b"}, XTestGoFiles: tests},
		"m/a/e":   {ImportPath: "m/a/e", Imports: []string{"m/a/b"}},
		"m/a/f":   {ImportPath: "m/a/f", TestImports: []string{"m/a/e"}, TestGoFiles: tests},
		"m/a":     {ImportPath: "m/a", TestImports: []string{"m/a/f"}, TestGoFiles: tests},
		"m/other": {ImportPath: "m/other", TestGoFiles: tests},
		"m":       {ImportPath: "m", XTestImports: []string{"m/a/b"}, XTestGoFiles: tests},
	}
	all["m"].Module.Path = "m"
	var got []string
	for _, p := range judges(all, all["m/a/b"]) {
		got = append(got, p.ImportPath)
	}
	if want := []string{"m/a/b", "m/a", "m/a/d", "m", "m/g", "m/c", "m/a/f"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
