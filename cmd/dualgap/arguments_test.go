package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestNegativeFlags: every flag of every command that has a value takes a negative one behind it, by all its names.
func TestNegativeFlags(t *testing.T) {
	app, err := kong.New(new(commands))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	var walk func(node *kong.Node, path []string)
	walk = func(node *kong.Node, path []string) {
		for _, child := range node.Children {
			walk(child, append(slices.Clone(path), child.Name))
		}
		for _, flag := range node.Flags {
			names := []string{"--" + flag.Name, "-" + flag.Name}
			if flag.Short != 0 {
				names = append(names, "-"+string(flag.Short))
			}
			for _, name := range names {
				for _, value := range []string{"-1", "-.5", "-1,-2", "-1=3", "-Inf", "-x"} {
					got, err := normalize(app.Model, append(slices.Clone(path), name, value))
					joined := err == nil && slices.Equal(got, append(slices.Clone(path), "--"+flag.Name+"="+value))
					if want := !flag.IsBool() && (value != "-x" || name == "-w"); joined != want {
						t.Errorf("%v %s %s: %q, %v", path, name, value, got, err)
					}
					tried++
				}
			}
		}
	}
	walk(app.Model.Node, nil)
	if tried < 1000 {
		t.Errorf("%d tried", tried)
	}
}

// TestNegativeValues: a negative value is what it says, and where it makes no sense the error is about it.
func TestNegativeValues(t *testing.T) {
	radar := radar(t)
	dir := t.TempDir()
	none, same2 := filepath.Join(dir, "none.dg"), filepath.Join(dir, "same.dg")
	must(t, "train", "topk", "-B=-1", radar, none)
	for _, args := range []string{"-B -1", "--bias -1", "-bias -1", "-B-1", "--label-column -1 -B -1"} {
		must(t, append(strings.Fields("train topk "+args), radar, same2)...)
		same(t, none, same2)
	}
	must(t, "train", "topk", radar, same2)
	if equal(t, none, same2) {
		t.Error("-B -1 makes no difference")
	}
	numbers := text(t, "numbers.csv", "1,-1\n2,-1\n5,1\n6,1\n")
	must(t, "train", "toprank", "--positive", "-1", numbers, same2)
	must(t, "train", "topk", "-w", "-1=2", numbers, none)
	must(t, "train", "topk", "-w-1", "2", numbers, same2)
	same(t, none, same2)
	for args, want := range map[string]string{
		"topk -e -1":             "-e -1: want a tolerance above 0",
		"topk --tolerance -1e-3": "-e -0.001",
		"topk -k -1":             "-k -1: want 1 guess",
		"topk -c -.5":            "-c -0.5: want a cost",
		"topk -v -2":             "-v -2: want 2 parts",
		"topk --workers -1":      "--workers -1",
		"topk --seed -1":         `"-1"`,
		"topk --every -5m":       "--every -5m0s",
		"topk -cv 2 -grid-c -1":  "--grid-c -1",
		"topk -t poly -r -1":     "Offset -1",
		"mkl -p -1":              "-p -1",
		"topk --epochs -1":       "--epochs -1",
	} {
		code, _, stderr := command(t, append(strings.Fields("train "+args), radar, filepath.Join(dir, "not.dg"))...)
		if code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}

// TestLastFlag: a flag that ends the line without its value is an error about the flag.
func TestLastFlag(t *testing.T) {
	for args, want := range map[string]string{
		"train topk -c": "--cost", "train topk --cost": "--cost", "train topk -w1": "-w1 needs a weight behind it",
	} {
		if code, _, stderr := command(t, strings.Fields(args)...); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}
