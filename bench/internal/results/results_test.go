package results

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// What was written is read again, but for numbers that no file can hold.
func TestRoundTrip(t *testing.T) {
	s := &Set{Config: ThisMachine(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))}
	s.Lines = []Line{
		{Base: "Dot", Keys: Parts("type", "f32", "n", 784, "impl", "avx512"), Iters: 12,
			Values: []Value{{.5, Seconds}, {502, "GB/s"}}},
		{Base: "Train", Keys: Parts("family", "topk", "model", "top-3 hinge"), Iters: 1,
			Values: []Value{{1.5, Seconds}, {.25, "primal"}, {1e-4, "gap"}}},
	}
	whole := *s
	whole.Lines = append([]Line{{Base: "None", Values: []Value{{math.NaN(), "gap"}}}}, s.Lines...)
	var b bytes.Buffer
	if err := whole.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cpu: ", "date: 2026-01-02\n",
		"BenchmarkDot/type=f32/n=784/impl=avx512 12 5e+08 ns/op 502 GB/s\n", "model=top-3_hinge 1 "} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	got, err := Read(&b, "file")
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range s.Config {
		if p.Value != "" && got.Get(p.Key) != p.Value {
			t.Errorf("%s: %q, want %q", p.Key, got.Get(p.Key), s.Config[k].Value)
		}
	}
	if !reflect.DeepEqual(got.Lines, s.Lines) {
		t.Errorf("read\n%+v, want\n%+v", got.Lines, s.Lines)
	}
	if l := got.Where("Train", "family", "topk"); len(l) != 1 || l[0].Value("primal") != .25 ||
		l[0].Value("none") == l[0].Value("none") || l[0].Int("model") != 0 {
		t.Errorf("%+v", l)
	}
	if len(got.Where("Train", "family", "m3l"))+len(got.Where("None")) != 0 || got.Lines[0].Int("n") != 784 {
		t.Error("found what there is not")
	}
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "holds no benchmark",
		"cpu: x\n":                    "holds no benchmark",
		"BenchmarkDot 1 x ns/op\n":    "file:1",
		"BenchmarkDot/n=1 many ns/op": "file:1",
	} {
		if _, err := Read(strings.NewReader(text), "file"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Open("no-such-file"); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestFileName(t *testing.T) {
	for _, c := range []struct {
		brand         string
		amd           bool
		family, model int
		want          string
	}{
		{"AMD EPYC", true, 26, 2, "amd-epyc-zen5"},
		{"AMD Ryzen 9 7950X 16-Core Processor", true, 25, 0x61, "amd-ryzen-9-7950x-16-core-processor-zen4"},
		{"AMD EPYC 7763", true, 25, 1, "amd-epyc-7763-zen3"},
		{"AMD EPYC 7742", true, 23, 0x31, "amd-epyc-7742-zen2"},
		{"AMD EPYC 7601", true, 23, 1, "amd-epyc-7601-zen1"},
		{"Intel(R) Xeon(R) @ 2.70GHz", false, 6, 143, "intel-r-xeon-r-2-70ghz-family6-model143"},
		{"arm64 CPU", false, 0, 0, "arm64-cpu"},
	} {
		if got := fileName(c.brand, c.amd, c.family, c.model); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
