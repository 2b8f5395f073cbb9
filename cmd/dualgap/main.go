package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// commands is the grammar of the command line.
type commands struct {
	Train    Train    `cmd:"" help:"Train a model."`
	Predict  Predict  `cmd:"" help:"Predict the labels of new examples."`
	Evaluate Evaluate `cmd:"" help:"Measure a model on labelled examples."`
	Fit      Fit      `cmd:"" name:"calibrate" help:"Fit probabilities and thresholds of a model on examples that it has not seen."`
	Serve    Serve    `cmd:"" help:"Answer requests of HTTP with predictions."`
	Inspect  Inspect  `cmd:"" help:"Say what a file holds: a model, a state, an index, a codebook or data."`
	Convert  Convert  `cmd:"" help:"Convert data between formats, and models from and to the texts of LIBLINEAR and LIBSVM, ONNX and safetensors."`

	Index Index `cmd:"" help:"Find the nearest of many vectors, and prove that they are."`

	Sample     Sample     `cmd:"" help:"Write an embedded data set into files, to try things with."`
	Completion Completion `cmd:"" help:"Print what makes bash, zsh or fish complete the command's words."`
	Man        Man        `cmd:"" help:"Print the manual page."`

	Version versionFlag `help:"Print the version, the commit and the tier of the kernels."`
}

const description = `Large-margin models that end with a certificate: how far they are from the optimum.

  dualgap train topk train.svm model.dg
  dualgap predict test.svm model.dg`

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// run is the command with the given arguments, and returns its exit code. When ctx ends a training ends as by Ctrl-C.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	helped := false
	parser, err := kong.New(new(commands),
		kong.Name("dualgap"),
		kong.Description(description),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }), // after help
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ValueFormatter(explain),
		kong.ExplicitGroups(groups),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(&output{out: stdout, err: stderr, args: args}),
	)
	if err != nil {
		panic(err) // the tags of the grammar are wrong
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == askComplete:
		for _, word := range complete(parser.Model, args[1:]) {
			fmt.Fprintln(stdout, word)
		}
		return 0
	case args[0] == "version":
		args = []string{"--version"}
	case args[0] == "help": // of a command
		args = append(slices.Clone(args[1:]), "--help")
	}
	args, err = normalize(parser.Model, args)
	if err == nil {
		var parsed *kong.Context
		parsed, err = parser.Parse(args)
		if helped {
			return 0
		}
		if err != nil {
			err = usage("%w\nRun \"dualgap%s --help\" to see what there is", err, commandOf(err))
		} else {
			err = parsed.Run()
		}
	}
	if err != nil {
		fmt.Fprintln(stderr, "dualgap:", inWords(err.Error()))
	}
	return codeOf(err)
}

// commandOf returns the command whose arguments were wrong, behind a blank; "" where none was named.
func commandOf(err error) string {
	wrong, ok := err.(*kong.ParseError)
	if !ok || wrong.Context == nil {
		return ""
	}
	var names strings.Builder
	for _, step := range wrong.Context.Path {
		if step.Command != nil {
			names.WriteString(" " + step.Command.Name)
		}
	}
	return names.String()
}

// explain is the help of a flag, with its default.
func explain(v *kong.Value) string {
	switch {
	case v.Flag == nil || !v.HasDefault || v.Flag.PlaceHolder == "" || v.Default == "default":
		return v.Help
	}
	return strings.TrimSuffix(v.Help, ".") + " (default: " + v.Default + ")."
}

// groups are the headings of the flags in the help, in this order.
var groups = []kong.Group{
	{Key: "model", Title: "What to train:"},
	{Key: "codes", Title: "Codes, and what is kept beside them:"},
	{Key: "find", Title: "What to find:"},
	{Key: "kernel", Title: "Kernels:"},
	{Key: "data", Title: "The data:"},
	{Key: "choose", Title: "Cross-validation:"},
	{Key: "fit", Title: "Probabilities and thresholds:"},
	{Key: "stop", Title: "How long, and how:"},
	{Key: "state", Title: "Going on later:"},
	{Key: "output", Title: "Output:"},
}
