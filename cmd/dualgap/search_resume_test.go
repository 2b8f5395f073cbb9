package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// soon is a context that ends when it has been asked left times.
type soon struct {
	context.Context
	left atomic.Int64
}

func (c *soon) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// searched runs a search over four paths until ctx ends, and returns what it prints and the model, "" where there is
// none.
func searched(t *testing.T, ctx context.Context, path string, change func(*TrainTopK)) (stdout, bits string,
	err error) {
	t.Helper()
	c := &TrainTopK{K: 1, Loss: "default", Cost: 1, GridC: []float64{.0001, .001}, GridK: []int{1, 2},
		GridGamma: []float64{.001, .002}}
	c.Kernel, c.Cache, c.Degree, c.Bias = "gaussian", 1000, 3, 1
	c.Train, c.Model, c.Scale, c.CV = digits(t), path, "none", 3
	c.Format, c.Header, c.Multiply = "auto", "auto", 1
	c.Tolerance, c.Epochs, c.Workers = 1e-3, 10000, 1
	if change != nil {
		change(c)
	}
	e, _, err := open[float32](&c.Training)
	if err != nil {
		t.Fatal(err)
	}
	j, err := prepareTopK[float32](c)(e)
	if err != nil {
		t.Fatal(err)
	}
	to, err := c.files()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r, _, _, err := learn(ctx, &output{out: &out, err: &out, args: []string{"train"}}, &c.Training, e, j, to)
	if r == nil {
		return out.String(), "", err
	}
	var model bytes.Buffer
	if _, err := r.model.WriteTo(&model); err != nil {
		t.Fatal(err)
	}
	return out.String(), model.String(), err
}

// TestResumeSearch: a search that is interrupted anywhere, in the parts of any path or in the last training, and again
// on its way, goes on to the same table and the same bits of the model; with other data or flags it does not.
func TestResumeSearch(t *testing.T) {
	dir := t.TempDir()
	asked := &soon{Context: context.Background()}
	asked.left.Store(1 << 60)
	whole, bits, err := searched(t, asked, filepath.Join(dir, "whole.dg"), nil)
	if err != nil || bits == "" {
		t.Fatal(err)
	}
	untimed := func(s string) string { return regexp.MustCompile(`, [^,]*s\n`).ReplaceAllString(s, "\n") }
	questions := 1<<60 - asked.left.Load()
	resume := func(c *TrainTopK) { c.Resume = true }
	trained, last := map[string]bool{}, 0
	parts, wanted := int64(12), 4
	if testing.Short() {
		parts, wanted = 6, 2
	}
	for k := int64(1); k <= parts; k++ {
		path := filepath.Join(dir, "m.dg")
		os.Remove(path + ".state")
		ctx := &soon{Context: context.Background()}
		ctx.left.Store(questions * k / (parts + 1))
		if k == parts {
			ctx.left.Store(questions)
		}
		_, some, err := searched(t, ctx, path, nil)
		for less := int64(1); k == parts && err == nil; less++ { // within the last training
			ctx.left.Store(questions - less)
			_, some, err = searched(t, ctx, path, nil)
		}
		if err == nil || codeOf(err) != interrupted && some == "" {
			t.Fatalf("%d/%d: %v", k, parts, err)
		}
		if found := regexp.MustCompile(`after (\d+ of 24) trainings`).FindStringSubmatch(err.Error()); found != nil {
			trained[found[1]] = true
		} else if some != "" {
			last++
		}
		if k%3 == 0 { // once more
			ctx.left.Store(questions / (parts + 1))
			if _, _, err := searched(t, ctx, path, resume); err == nil {
				continue // it came to its end
			}
		}
		again, same, err := searched(t, context.Background(), path, resume)
		if err != nil || untimed(again) != untimed(whole) || same != bits {
			t.Errorf("%d/%d: %v, %q, want %q; the same model: %t", k, parts, err, again, whole, same == bits)
		}
	}
	if len(trained) < wanted || last == 0 {
		t.Errorf("interrupted after %v trainings, and %d times in the last training", trained, last)
	}
	for want, change := range map[string]func(c *TrainTopK){
		"a state of another training": func(c *TrainTopK) { c.Seed = 7 },
		"of other data":               func(c *TrainTopK) { c.Scale = "minmax" },
		"its settings are":            func(c *TrainTopK) { c.GridC = []float64{.001} },
		"grid":                        func(c *TrainTopK) { c.CV = 4 },
		`measures "Macro F1"`:         func(c *TrainTopK) { c.Metric = "macro-f1" },
	} {
		path := filepath.Join(dir, "m.dg")
		os.Remove(path + ".state")
		ctx := &soon{Context: context.Background()}
		ctx.left.Store(questions / 2)
		searched(t, ctx, path, nil)
		if _, _, err := searched(t, context.Background(), path,
			func(c *TrainTopK) { change(c); c.Resume = true }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
