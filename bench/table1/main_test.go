package main

import (
	"context"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/topk"
)

// One row comes out as in the paper, to 0.3 points.
func TestRow(t *testing.T) {
	data := os.Getenv("DUALGAP_DATA")
	if data == "" || testing.Short() {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets, or -short")
	}
	p, err := open(data)
	if err != nil {
		t.Skip(err)
	}
	p.config = topk.Config{Classes: p.m, Tol: 1e-4, Workers: 1}
	row := paper[len(paper)-1]
	_, got, err := p.row(context.Background(), row.loss, row.k, []float64{.01})
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range got {
		if math.Abs(v-row.accuracy[j]) > 0.3 {
			t.Errorf("top-%d: %.2f, the paper %.2f", tops[j], v, row.accuracy[j])
		}
	}
}

func TestErrors(t *testing.T) {
	for want, args := range map[string][]string{
		`"x" is not a positive number`: {"-c", "1,x"},
		"-tol -1: need a positive":     {"-tol", "-1"},
		"no-such-folder":               {"-data", "no-such-folder"},
	} {
		if err := run(context.Background(), args, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if cs, err := parse("1,0.1"); err != nil || len(cs) != 2 || cs[0] != 0.1 {
		t.Errorf("%v, %v", cs, err)
	}
}
