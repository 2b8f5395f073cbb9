package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// clothes are files of images, and of others to look for.
func clothes(t *testing.T) (base, queries string, x, q vec.Matrix[float32]) {
	t.Helper()
	train, test := samples.FashionMNIST[float32]()
	x, q = train.X.Matrix.Slice(0, 1200, 0, 784), test.X.Matrix.Slice(0, 40, 0, 784)
	npy := func(name string, m vec.Matrix[float32]) string {
		return written(t, name, func(w io.Writer) error {
			return dataset.WriteNPY(w, &dataset.Dense[float32]{Matrix: m}, dataset.NPYOptions{})
		})
	}
	return npy("x.npy", x), npy("q.npy", q), x, q
}

// nearestIDs are the k nearest of the rows of x to q, by all products and sums in float64.
func nearestIDs(x vec.Matrix[float32], q []float32, k int, metric pq.Metric) []uint64 {
	dist, order := make([]float64, x.Rows), make([]uint64, x.Rows)
	for i := range order {
		order[i] = uint64(i)
		for j, v := range x.Row(i) {
			if metric != pq.L2 {
				dist[i] -= float64(v) * float64(q[j])
			} else {
				d := float64(v) - float64(q[j])
				dist[i] += d * d
			}
		}
	}
	if metric == pq.CosineSimilarity {
		for i := range dist {
			dist[i] /= float64(vec.Norm(x.Row(i)))
		}
	}
	slices.SortStableFunc(order, func(a, b uint64) int {
		switch {
		case dist[a] < dist[b]:
			return -1
		case dist[a] > dist[b]:
			return 1
		}
		return 0
	})
	return order[:k]
}

// answers reads lines of JSON.
func answers(t *testing.T, text string) (all []searchAnswer) {
	t.Helper()
	for line := range strings.Lines(text) {
		var a searchAnswer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// TestIndexProves: of all codes, metrics and lists, what is proved to be nearest is nearest.
func TestIndexProves(t *testing.T) {
	base, queries, x, q := clothes(t)
	index := filepath.Join(t.TempDir(), "i.dg")
	for _, c := range []struct {
		flags  string
		metric pq.Metric
	}{
		{"", pq.L2}, {"--metric product", pq.InnerProduct}, {"--codes hadamard --bits 2", pq.L2},
		{"--codes pq --bytes 16", pq.L2}, {"--lists 20 --dims 50 --bits 8", pq.L2},
		{"--lists 20 --metric product", pq.InnerProduct}, {"--lists 20 --metric cosine", pq.CosineSimilarity},
	} {
		must(t, append(strings.Fields("index build -q "+c.flags), base, index)...)
		got := answers(t, must(t, "index", "search", "--json", "--prove", "-k", "5", index, queries))
		if len(got) != q.Rows {
			t.Fatalf("%s: %d answers", c.flags, len(got))
		}
		read := 0
		for i, a := range got {
			if want := nearestIDs(x, q.Row(i), 5, c.metric); !slices.Equal(a.IDs, want) || *a.Gap != 0 {
				t.Errorf("%s: query %d: %v with the gap %v, want %v", c.flags, i, a.IDs, *a.Gap, want)
			}
			read += *a.Read
		}
		if read >= q.Rows*x.Rows {
			t.Errorf("%s: all vectors were read", c.flags)
		}
		// With a budget it says how far it may be wrong.
		for i, a := range answers(t, must(t, "index", "search", "--json", "--prove", "-k", "5", "--budget", "5", index,
			queries)) {
			if right := slices.Equal(a.IDs, got[i].IDs); *a.Read > 5 || !right && *a.Gap <= 0 {
				t.Errorf("%s: query %d: %+v", c.flags, i, a)
			}
		}
	}
}

// TestIndexText: a line of text says what an object of JSON does.
func TestIndexText(t *testing.T) {
	base, queries, _, _ := clothes(t)
	dir := t.TempDir()
	index, file := filepath.Join(dir, "i.dg"), filepath.Join(dir, "found.txt")
	must(t, "index", "build", "-q", base, index)
	lines := ""
	for _, a := range answers(t, must(t, "index", "search", "--prove", "--json", index, queries)) {
		for i, id := range a.IDs {
			lines += fmt.Sprintf("%d:%v ", id, a.Distances[i])
		}
		lines += fmt.Sprintf("read=%d gap=%v\n", *a.Read, *a.Gap)
	}
	stdout := must(t, "index", "search", "--prove", index, queries, file)
	if got := contents(t, file); got != lines {
		t.Errorf("%q, want %q", got, lines)
	}
	if !strings.HasPrefix(stdout, "40 queries, the 10 nearest of 1200: ") ||
		!strings.Contains(stdout, "proved 40 of 40") {
		t.Error(stdout)
	}
	first := must(t, "index", "search", "--by-codes", "--max-rows", "1", "-k", "1", index, queries)
	if n := strings.Count(first, ":"); n != 1 || strings.Count(first, "\n") != 1 {
		t.Errorf("%q", first)
	}
}

// TestIndexGrows: added and updated vectors are found under their ids, and the codes stay.
func TestIndexGrows(t *testing.T) {
	base, queries, _, _ := clothes(t)
	dir := t.TempDir()
	index := filepath.Join(dir, "i.dg")
	must(t, "index", "build", "-q", "--max-rows", "1000", base, index)
	ids, other := text(t, "ids.txt", ""), text(t, "other.txt", "")
	var a, b bytes.Buffer
	for i := range 40 {
		fmt.Fprintf(&a, "%d\n", uint64(1<<63)+uint64(i))
		fmt.Fprintf(&b, "%d\n", 40-i)
	}
	for path, text := range map[string][]byte{ids: a.Bytes(), other: b.Bytes()} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "index", "build", "-q", "--add", index, "--ids", ids, queries, index)
	find := func() []searchAnswer {
		return answers(t, must(t, "index", "search", "--json", "--prove", "-k", "1", index, queries))
	}
	for i, found := range find() {
		if found.IDs[0] != 1<<63+uint64(i) || found.Distances[0] != 0 {
			t.Errorf("added %d: %+v", i, found)
		}
	}
	if code, _, stderr := command(t, "index", "build", "-q", "--add", index, "--ids", other, queries,
		index); code != failed || !strings.Contains(stderr, "id 40 of vector 0 is in the index already") {
		t.Errorf("code %d, %q", code, stderr)
	}
	must(t, "index", "build", "-q", "--add", index, "--ids", other, "--update", queries, index)
	for i, found := range find() {
		if found.IDs[0] != uint64(40-i) {
			t.Errorf("updated %d: %+v", i, found)
		}
	}
	if out := must(t, "index", "inspect", "--json", index); !strings.Contains(out, `"vectors": 1040`) {
		t.Error(out)
	}
	ix, err := readIndex(index)
	if err != nil || !ix.Has(1<<63) || ix.Codec().D() != 784 || ix.Metric() != pq.L2 {
		t.Error(ix, err)
	}
}

// TestIndexFormats: fvecs, NPY and LIBSVM text of the same vectors make the same index.
func TestIndexFormats(t *testing.T) {
	base, _, x, _ := clothes(t)
	dir := t.TempDir()
	fvecs := written(t, "x.fvecs", func(w io.Writer) error {
		return dataset.WriteVecs(w, &dataset.Dense[float32]{Matrix: x}, dataset.VecsOptions{Format: "fvecs"})
	})
	svm := filepath.Join(dir, "x.svm")
	must(t, "convert", fvecs, svm)
	first := filepath.Join(dir, "0.dg")
	must(t, "index", "build", "-q", base, first)
	for i, file := range []string{fvecs, svm} {
		other := filepath.Join(dir, fmt.Sprint(i+1, ".dg"))
		must(t, "index", "build", "-q", "--workers", "1", file, other)
		same(t, first, other)
	}
}

// TestIndexInterrupted: a build that ends early leaves what was there.
func TestIndexInterrupted(t *testing.T) {
	base, queries, _, _ := clothes(t)
	index := filepath.Join(t.TempDir(), "i.dg")
	must(t, "index", "build", "-q", queries, index)
	old := contents(t, index)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, codes := range []string{"pca", "hadamard", "pq"} {
		var out, err bytes.Buffer
		code := run(ctx, []string{"index", "build", "--codes", codes, base, index}, &out, &err)
		if code != interrupted || !strings.Contains(err.String(), index+" is as it was") || contents(t, index) != old {
			t.Errorf("%s: code %d, %q", codes, code, err.String())
		}
	}
	if found, _ := os.ReadDir(filepath.Dir(index)); len(found) != 1 {
		t.Errorf("%v beside the index", found)
	}
}

// TestCodeFlags: what stands for what, and which bytes codes then have.
func TestCodeFlags(t *testing.T) {
	for _, c := range []struct {
		flags CodeFlags
		d     int
		want  string // dims x bits, or M x bits
	}{
		{CodeFlags{Codes: "pca"}, 784, "196x4"},
		{CodeFlags{Codes: "pca"}, 128, "64x4"},
		{CodeFlags{Codes: "pca"}, 10, "10x4"},
		{CodeFlags{Codes: "pca"}, 1, "1x4"},
		{CodeFlags{Codes: "pca", Bytes: 98}, 784, "196x4"},
		{CodeFlags{Codes: "pca", Bytes: 64}, 128, "128x4"},
		{CodeFlags{Codes: "pca", Bytes: 128}, 128, "128x8"},
		{CodeFlags{Codes: "pca", Bytes: 98, Bits: 8}, 784, "98x8"},
		{CodeFlags{Codes: "pca", Dims: 98, Bits: 8}, 784, "98x8"},
		{CodeFlags{Codes: "pca", Bytes: 3}, 5, "5x4"},
		{CodeFlags{Codes: "hadamard"}, 784, "784x4"},
		{CodeFlags{Codes: "hadamard", Bytes: 98}, 784, "784x1"},
		{CodeFlags{Codes: "hadamard", Bytes: 300}, 784, "784x2"},
		{CodeFlags{Codes: "pq"}, 784, "98x8"},
		{CodeFlags{Codes: "opq", Bytes: 16}, 128, "16x8"},
		{CodeFlags{Codes: "opq", Bytes: 16, Bits: 4}, 128, "32x4"},
		{CodeFlags{Codes: "pq", Bits: 4}, 1, "1x4"},
		{CodeFlags{Codes: "pq", Bytes: 3, Bits: 4}, 5, "5x4"},
		{CodeFlags{Codes: "pca", Bytes: 129}, 128, ""},
		{CodeFlags{Codes: "pca", Bytes: 129, Bits: 4}, 128, ""},
		{CodeFlags{Codes: "hadamard", Bytes: 97}, 784, ""},
		{CodeFlags{Codes: "pq", Bytes: 129}, 128, ""},
	} {
		got, err := c.flags.of(c.d)
		text := fmt.Sprintf("%dx%d", got.scalar.Dims, got.scalar.Bits)
		if got.parts.M > 0 {
			text = fmt.Sprintf("%dx%d", got.parts.M, got.parts.NBits)
		}
		if err == nil && text != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%+v of %d numbers: %s, %v, want %s", c.flags, c.d, text, err, c.want)
		}
	}
}
