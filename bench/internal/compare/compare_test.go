package compare

import (
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/results"
)

func read(t *testing.T, text string) *results.Set {
	t.Helper()
	s, err := results.Read(strings.NewReader(text), "text")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Of five and five times that do not overlap p is 2/252: the order is one of 252, or its opposite.
const before = `cpu: one
BenchmarkDot/n=1 1 100 ns/op
BenchmarkDot/n=1 1 101 ns/op
BenchmarkDot/n=1 1 102 ns/op
BenchmarkDot/n=1 1 103 ns/op
BenchmarkDot/n=1 1 104 ns/op
BenchmarkSum/n=1 1 100 ns/op
BenchmarkSum/n=1 1 200 ns/op
BenchmarkTrain/family=topk 1 1000000000 ns/op
BenchmarkProgress/family=topk/epoch=1 1 5 ns/op
BenchmarkOld 1 5 ns/op
`

const after = `cpu: one
BenchmarkDot/n=1 1 50 ns/op
BenchmarkDot/n=1 1 51 ns/op
BenchmarkDot/n=1 1 52 ns/op
BenchmarkDot/n=1 1 53 ns/op
BenchmarkDot/n=1 1 51 ns/op
BenchmarkSum/n=1 1 100 ns/op
BenchmarkSum/n=1 1 200 ns/op
BenchmarkTrain/family=topk 1 2000000000 ns/op
BenchmarkProgress/family=topk/epoch=1 1 5 ns/op
`

func TestTable(t *testing.T) {
	table, err := Table(read(t, before), read(t, after), [2]string{"old", "new"})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"Dot/n=1", "102 ns", "51.0 ns", "-50.00%", "p=0.008 n=5"},
		{"Sum/n=1", "150 ns", "150 ns", "~", "p=1.000 n=2"},
		{"Train/family=topk", "1.00 s", "2.00 s", "~", "p=1.000 n=1"},
		{"geomean", "24.8 µs", "24.8 µs", "+0.00%", "n=3"}, // half as long, the same, twice as long
	}
	for k, row := range table.Rows {
		if k >= len(want) || strings.Join(row, "|") != strings.Join(want[k], "|") {
			t.Errorf("row %d: %q", k, row)
		}
	}
	if len(table.Rows) != len(want) || !strings.Contains(table.Note, "1 benchmarks are in one of the files alone") {
		t.Errorf("%d rows, %s", len(table.Rows), table.Note)
	}
}

func TestNothingInCommon(t *testing.T) {
	if _, err := Table(read(t, before), read(t, "BenchmarkNew 1 5 ns/op\n"), [2]string{"old", "new"}); err == nil ||
		!strings.Contains(err.Error(), "old and new") {
		t.Errorf("error %v", err)
	}
}
