package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestValidate: -v prints one measure, in LIBLINEAR's words, and writes no model.
func TestValidate(t *testing.T) {
	digits, radar, topics := digits(t), radar(t), topics(t)
	for args, want := range map[string]struct {
		measure string
		least   float64 // in percent: what any such model has
	}{
		"topk -c .01 " + digits:                      {"Accuracy", 85},
		"topk -c .01 -k 3 " + digits:                 {"Top-3 Accuracy", 95},
		"m3l -c .01 " + digits:                       {"Accuracy", 85},
		"m3l " + topics:                              {"Hamming Loss", 1},
		"toprank --positive g -t gaussian " + radar:  {"Precision at Recall 0.2", 80},
		"tracenorm " + digits:                        {"Accuracy", 85},
		"mkl --kernels linear,gaussian:.1 " + radar:  {"Accuracy", 80},
		"l1 -c .01 " + digits:                        {"Accuracy", 85},
		"l1 --loss logistic " + radar:                {"Accuracy", 75},
		"topk -t gaussian -w b=2 --float64 " + radar: {"Accuracy", 80},
		"tracenorm --lambda1 .01 --raw -q " + digits: {"Accuracy", 85},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		stdout := must(t, append([]string{"train"}, append(strings.Fields(args), "-v", "3")...)...)
		found := regexp.MustCompile(`(?m)^Cross Validation (.*) = ([0-9.]+)% \(`).FindStringSubmatch(stdout)
		if found == nil || found[1] != want.measure {
			t.Errorf("%s: %q, want %s", args, stdout, want.measure)
			continue
		}
		if v, err := strconv.ParseFloat(found[2], 64); err != nil || v < want.least || v > 100 {
			t.Errorf("%s: %s%%, want %v at least", args, found[2], want.least)
		}
		if files, _ := filepath.Glob("*"); len(files) > 0 {
			t.Errorf("%s: wrote %v", args, files)
		}
	}
}

// TestChoose: -cv prints a line for each point, with the parameters that differ and a star at the best, and writes its
// model: the model of a training with these parameters.
func TestChoose(t *testing.T) {
	digits, radar := digits(t), radar(t)
	for args, c := range map[string]struct {
		header string
		points int
		flags  []string // of the parameters in the table
	}{
		"topk -k 2 --grid-c .001,.00001 --grid-k 1,2,5 " + digits: {"k c top-2 accuracy +-", 6,
			[]string{"-k", "-c"}},
		"topk -t gaussian --grid-g .1,.01 --grid-c 1 " + radar: {"gamma accuracy +-", 2,
			[]string{"-g"}},
		"m3l --grid-c .01,.0001 " + digits: {"c accuracy +-", 2, []string{"-c"}},
		"toprank --positive g --grid-c .1,10 -t gaussian " + radar: {"c precision at recall 0.2 +-", 2,
			[]string{"-c"}},
		"l1 --loss logistic --grid-c .1,1,10 " + radar: {"c accuracy +-", 3, []string{"-c"}},
		"tracenorm --grid-lambda1 .5,.05 --grid-lambda2 .01 -e .01 " + digits: {"lambda1 accuracy +-", 2,
			[]string{"--lambda1"}},
		"mkl --grid-p 1.1,2 --grid-c 1,10 --kernels linear,gaussian:.1 " +
			radar: {"p c accuracy +-", 4, []string{"-p", "-c"}},
	} {
		path := filepath.Join(t.TempDir(), "model.dg")
		words := append(append([]string{"train"}, strings.Fields(args)...), path)
		stdout := must(t, append(words, "-cv", "3", "--test", words[len(words)-2])...)
		_, rest, _ := strings.Cut(stdout, "\n") // what was read
		lines := strings.Split(rest, "\n")
		if got := strings.Join(strings.Fields(lines[0]), " "); got != c.header {
			t.Errorf("%s: header %q, want %q", args, got, c.header)
			continue
		}
		best, most, star := "", -1.0, ""
		for _, line := range lines[1 : 1+c.points] {
			fields := strings.Fields(line)
			v, err := strconv.ParseFloat(strings.TrimSuffix(fields[len(c.flags)], "%"), 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", args, line, err)
			}
			if v > most {
				best, most = line, v
			}
			if strings.HasSuffix(strings.TrimSpace(line), "*") {
				star += line
			}
		}
		rest3 := lines[1+c.points:]
		if star == "" || percentOf(star, len(c.flags)) != percentOf(best, len(c.flags)) ||
			!strings.HasPrefix(rest3[0], "* the greatest ") ||
			!strings.HasPrefix(rest3[1], fmt.Sprintf("%d trainings of cross-validation, ", 3*c.points)) ||
			!strings.HasPrefix(rest3[2], "converged after ") {
			t.Errorf("%s: the best is %q, with a star %q, then %q", args, best, star, rest3)
			continue
		}
		// A training with these parameters makes the same model.
		chosen, direct := strings.Fields(star), filepath.Join(t.TempDir(), "direct.dg")
		var plain []string
		for k := 1; k < len(words)-1; k++ {
			if strings.HasPrefix(words[k], "--grid") {
				k++
				continue
			}
			if !(words[k] == "-k" && slices.Contains(c.flags, "-k")) {
				plain = append(plain, words[k])
			} else {
				k++
			}
		}
		if args == "tracenorm --grid-lambda1 .5,.05 --grid-lambda2 .01 -e .01 "+digits {
			plain = append(plain, "--lambda2", ".01")
		}
		if strings.Contains(args, "--grid-c 1 ") {
			plain = append(plain, "-c", "1")
		}
		for k, flag := range c.flags {
			plain = append(plain, flag, chosen[k])
		}
		must(t, append(append([]string{"train"}, plain...), direct)...)
		if !equal(t, path, direct) {
			t.Errorf("%s: another model than %s", args, plain)
		}
	}
}

func percentOf(line string, at int) string { return strings.Fields(line)[at] }

// TestTestFile: the model is tested on examples that are scaled as those it has learned from.
func TestTestFile(t *testing.T) {
	radar := radar(t)
	path := filepath.Join(t.TempDir(), "model.dg")
	one := must(t, "train", "topk", "-q", "--scale", "standard", radar, path, "--test", radar)
	other := must(t, "evaluate", radar, path)
	if one != other || one == "" {
		t.Errorf("--test: %q\nevaluate: %q", one, other)
	}
}
