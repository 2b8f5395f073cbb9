package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUsage: arguments that make no sense end with exit code 2, and bad files and data with 1; a message says what is
// wrong with which value, and nothing is written.
func TestErrors(t *testing.T) {
	digits, radar, topics := digits(t), radar(t), topics(t)
	damaged := text(t, "damaged.svm", "1 1:2 2:3\n2 1:4 2:x\n")
	unlabeled := text(t, "unlabeled.svm", "1:2 2:3\n1:4 2:1\n")
	square := text(t, "square.csv", "1,0\n0,1\n")
	twice := text(t, "twice.svm", "1 1:2\n1 1:3\n")
	none := filepath.Join(t.TempDir(), "none.svm")
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"":     {2, "expected"},
		"topk": {2, "want a file with the examples"},
		"topk " + digits: {2, "want a file for the model behind " +
			digits},
		"forest " + digits + " M":        {2, "unexpected argument forest"},
		"topk --fast " + digits + " M":   {2, "unknown flag --fast"},
		"topk -c x " + digits + " M":     {2, `"x"`},
		"topk -c 0 " + digits + " M":     {2, "-c 0: want a cost above 0"},
		"topk -c NaN " + digits + " M":   {2, "-c NaN: want a cost above 0"},
		"topk -k 0 " + digits + " M":     {2, "-k 0"},
		"topk -k 10 " + digits + " M":    {2, "-k 10 with 10 classes"},
		"topk -e 0 " + digits + " M":     {2, "-e 0"},
		"topk --loss x " + digits + " M": {2, "--loss x: want topk-hinge"},
		"topk -w 11=2 " + digits + " M": {2,
			`no class "11" in the data, there are 0, 1, 2`},
		"topk -w1 x " + digits + " M":           {2, `weight "x"`},
		"topk " + digits + " M -w1":             {2, "-w1 needs a weight behind it"},
		"topk -w 1=2 -w1 3 " + digits + " M":    {2, "has a weight already"},
		"topk -c 2 --lambda 1 " + digits + " M": {2, "want one of them"},
		"topk -g .5 " + digits + " M":           {2, "without -t gaussian"},
		"topk -t sigmoid " + digits + " M": {2,
			"-t sigmoid: want none, linear, poly or gaussian"},
		"topk -B NaN " + digits + " M":               {1, "Bias = NaN"},
		"topk -t gaussian -B 1e200 " + digits + " M": {1, "constant of Value +Inf"},
		"topk -t poly -d 0 " + digits + " M":         {2, "Degree 0"},
		"topk -v 1 " + digits:                        {2, "want 2 parts"},
		"topk -v 2 -cv 3 " + digits + " M":           {2, "want one of them"},
		"topk -cv 3 -resume " + digits + " M":        {1, "no state in "},
		"topk --grid-c 1,2 " + digits + " M":         {2, "add -cv 5"},
		"topk -cv 2 --grid-c 1,0 " + digits + " M":   {2, "--grid-c 0"},
		"topk --resume " + digits + " M":             {1, "no state in "},
		"topk " + none + " M":                        {1, none},
		"topk " + damaged + " M":                     {1, damaged + ":2"},
		"topk " + unlabeled + " M":                   {1, unlabeled + ": no labels"},
		"topk " + twice + " M":                       {1, "have the class 1: there is nothing"},
		"topk " + topics + " M": {1,
			`for sets of labels there is "dualgap train m3l", or --loss multilabel-hinge`},
		"l1 " + topics + " M":                     {1, `"dualgap train m3l"`},
		"l1 -c 0 " + digits + " M":                {2, "-c 0"},
		"l1 -v 2 --grid-c 1 " + digits:            {2, "--grid-c"},
		"tracenorm " + topics + " M":              {1, `"dualgap train m3l"`},
		"tracenorm --lambda1 -1 " + digits + " M": {2, "lambda1"},
		"topk -v 2 --loss squared-hinge --metric accuracy " +
			topics: {2, "--metric accuracy: want precision, ranking-loss"},
		"m3l --prior correlations " + digits + " M":        {1, "no correlations of labels"},
		"m3l --prior " + none + " " + topics + " M":        {1, none},
		"m3l --prior " + square + " " + topics + " M":      {1, square + ": 2 columns, but 4 labels"},
		"m3l --attributes " + square + " " + topics + " M": {1, square + ": 2 columns, but 4 labels"},
		"m3l --shrink 2 " + topics + " M":                  {2, "--shrink 2"},
		"toprank " + digits + " M":                         {2, "10 classes: say by --positive"},
		"toprank " + radar + " M":                          {2, "2 classes: say by --positive"},
		"toprank --positive x " + radar + " M": {2,
			"no such class in the data, there are g, b"},
		"toprank --positive g,b " + radar + " M":                        {2, "all examples would be at the top"},
		"toprank --positive g -k 400 " + radar + " M":                   {1, "K = 400"},
		"toprank --positive g --tau .1 " + radar + " M":                 {2, "--method patmat"},
		"toprank --method patmat -k 2 " + radar + " M":                  {2, "--method toppush"},
		"mkl -p 1 " + radar + " M":                                      {2, "-p 1: want a number above 1"},
		"mkl --kernels gaussian:x " + radar + " M":                      {2, `gaussian:x: "x" is no number`},
		"mkl --kernels poly:1.5 " + radar + " M":                        {2, "degree 1.5"},
		"mkl --kernels gaussian:0 " + radar + " M":                      {2, "Gamma 0"},
		"mkl --kernels linear:2 " + radar + " M":                        {2, "linear has 0 at most"},
		"mkl --groups 1-10 " + radar + " M":                             {2, "add 11-34"},
		"mkl --groups 1-10,12-34 " + radar + " M":                       {2, "begins with feature 11"},
		"mkl --groups 1-99 " + radar + " M":                             {2, "ends at 34 at most"},
		"mkl --prune 1 " + radar + " M":                                 {2, "--prune 1"},
		"mkl --prune .999 --kernels gaussian:.1,linear " + radar + " M": {1, "no kernel has a share"},
		// before it reads
		"topk " + damaged + " /no/such/folder/M":    {1, "a new file for /no/such/folder/M"},
		"topk --test " + none + " " + digits + " M": {1, "--test: "},
	} {
		model := filepath.Join(t.TempDir(), "model.dg")
		words := strings.Fields("train " + args)
		for i, w := range words {
			if w == "M" {
				words[i] = model
			}
		}
		code, stdout, stderr := command(t, words...)
		if code != want.code || !strings.Contains(stderr, want.text) || !strings.HasPrefix(stderr, "dualgap: ") {
			t.Errorf("train %s: exit code %d, want %d with %q\n%s%s", args, code, want.code, want.text, stdout, stderr)
		}
		if found, _ := filepath.Glob(filepath.Dir(model) + "/*"); len(found) > 0 {
			t.Errorf("train %s: wrote %v", args, found)
		}
	}
}

// TestHelp: every command has help with its defaults and an example.
func TestHelp(t *testing.T) {
	for _, family := range []string{"topk", "m3l", "toprank", "tracenorm", "l1", "mkl"} {
		code, stdout, stderr := command(t, "train", family, "--help")
		if code != 0 || stderr != "" || !strings.Contains(stdout, "dualgap train "+family) ||
			!strings.Contains(stdout, "--tolerance=0.001") || !strings.Contains(stdout, "What to train:") {
			t.Errorf("%s: exit code %d\n%s%s", family, code, stdout, stderr)
		}
	}
	if code, stdout, _ := command(t); code != 0 || !strings.Contains(stdout, "Commands:") {
		t.Errorf("without arguments: exit code %d\n%s", code, stdout)
	}
}

// TestArguments: single dashes before long names, and weights as LIBLINEAR has them.
func TestArguments(t *testing.T) {
	radar := radar(t)
	one, other := filepath.Join(t.TempDir(), "1"), filepath.Join(t.TempDir(), "2")
	must(t, "train", "topk", "-scale=minmax", "-wg", "2", "-w", "b=.5", "-c10", "-q", radar, one)
	must(t, "train", "topk", "--scale", "minmax", "--weight", "g=2", "-wb=.5", "--cost=10", radar, other)
	if same(t, one, other); t.Failed() {
		return
	}
	must(t, "train", "topk", "--scale", "minmax", "--weight", "g=2", "--cost=10", radar, other)
	if equal(t, one, other) {
		t.Error("the second weight makes no difference")
	}
}
