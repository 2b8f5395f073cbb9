// Command dualgap-beam runs package beam on files: it scores and encodes rows, certifies weights, trains and searches
// grids, by any runner of Apache Beam. The flags of Beam stand among its own: --runner, --endpoint, --project and on.
//
//	dualgap-beam score 'rows-*.npy' model.dg answers -k 3 --cols 784
//	dualgap-beam audit rows.svm model.dg --format libsvm --cols 47236 --names 1,2,3 -c 1
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	dualgap "github.com/dualgap/dualgap/x/beam"
	"github.com/dualgap/dualgap/x/beam/internal/temp"
)

// commands is the grammar of the command line.
type commands struct {
	Score  Score  `cmd:"" help:"Score rows: a file of answers for each range, and none that is whole already."`
	Encode Encode `cmd:"" help:"Encode dense rows by a codebook of product quantization."`
	Audit  Audit  `cmd:"" help:"Certify a linear model on all rows: how far it is from the optimum, at most."`
	Train  Train  `cmd:"" help:"Train a linear model with a smooth loss, to a certified gap."`
	Trace  Trace  `cmd:"" name:"tracenorm" help:"Train a model of low rank, by the trace norm, to a certified gap."`
	Labels Labels `cmd:"" help:"Train one support vector machine a label, in groups of labels; a worker holds all rows."`
	Grid   Grid   `cmd:"" help:"Train with each cost and compare by cross-validation; a worker holds all rows."`

	Verbose bool `help:"Print what Beam and its runner tell, and their errors whole."`
}

func main() {
	own, err := readFlags(flag.CommandLine, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "dualgap-beam:", err)
		os.Exit(2)
	}
	log.LogLevel = "warn" // Prism tells of every job
	beam.Init()           // a worker stays in it
	os.Exit(command(own))
}

// command runs the command with its own arguments until a signal, and returns its exit code. A second signal ends the
// process at once.
func command(args []string) int {
	code, err := temp.Within("dualgap-beam-", func() int {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop)
		return run(ctx, args, beamx.Run, os.Stdout, os.Stderr)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "dualgap-beam:", err)
	}
	return code
}

// readFlags sets the flags of Beam, and returns all other arguments.
func readFlags(beams *flag.FlagSet, args []string) (own []string, err error) {
	own, theirs := parse(beams, args)
	beams.Init("dualgap-beam", flag.ContinueOnError)
	beams.SetOutput(io.Discard) // the usage of all flags of Beam
	if err := beams.Parse(theirs); err != nil {
		return nil, err
	}
	value := func(name string) string {
		if f := beams.Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	if name := value("runner"); name != "" && !slices.Contains(runners, name) { // Beam exits without a word
		return nil, fmt.Errorf("--runner %s, want one of %s", name, strings.Join(runners, ", "))
	}
	if value("async") == "true" {
		return nil, errors.New("--async does not fit: a command waits for its pipelines")
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" && value("worker_binary") == "" {
		if self, err := os.Executable(); err == nil {
			beams.Set("worker_binary", self) // or Beam compiles the command's source for its workers
		}
	}
	return own, nil
}

// runners are the names of Beam's runners, but of the old direct one and of the ones that run nothing.
var runners = []string{"prism", "PrismRunner", "universal", "PortableRunner", "portable", "flink", "FlinkRunner",
	"spark", "SparkRunner", "dataflow", "DataflowRunner"}

// parse tells the flags of Beam, with their values, from all other arguments.
func parse(beams *flag.FlagSet, args []string) (own, theirs []string) {
	for k := 0; k < len(args); k++ {
		name, value := flagOf(args[k])
		f := beams.Lookup(name)
		if f == nil {
			own = append(own, args[k])
			continue
		}
		theirs = append(theirs, args[k])
		truth, ok := f.Value.(interface{ IsBoolFlag() bool })
		if isBool := ok && truth.IsBoolFlag(); !value && !isBool && k+1 < len(args) {
			k++
			theirs = append(theirs, args[k])
		}
	}
	return own, theirs
}

// flagOf returns the name of a flag, and whether its value follows behind =.
func flagOf(arg string) (name string, value bool) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", false
	}
	name = arg[1:]
	if name[0] == '-' {
		name = name[1:]
	}
	for i := range len(name) {
		if name[i] == '=' {
			return name[:i], true
		}
	}
	return name, false
}

// output is where a command writes, and what runs its pipelines.
type output struct {
	out, err io.Writer
	run      dualgap.Runner
}

// run is the command with its own arguments, and returns its exit code.
func run(ctx context.Context, args []string, runner dualgap.Runner, stdout, stderr io.Writer) (code int) {
	helped, c := false, new(commands)
	parser, err := kong.New(c,
		kong.Name("dualgap-beam"),
		kong.Description("dualgap's models over more rows than one machine holds, by Apache Beam."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(&output{stdout, stderr, runner}),
	)
	if err != nil {
		panic(err) // the tags of the grammar are wrong
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	switch {
	case helped:
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "dualgap-beam:", err)
		return 2
	}
	if !c.Verbose {
		slog.SetDefault(slog.New(slog.DiscardHandler)) // what fails is told with its whole plan, more than once
	}
	err = parsed.Run()
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "dualgap-beam:", inWords(err.Error()))
	if told := new(dualgap.RunError); c.Verbose && errors.As(err, &told) {
		fmt.Fprintln(stderr, errors.Join(told.Attempts...))
	}
	return 1
}

// inWords leaves the names of packages out of a message, and puts flags in place of options.
func inWords(message string) string { return flags.Replace(message) }

var flags = strings.NewReplacer("beam: ", "", "dataset: ", "",
	"the option ZeroBased", "the flag --zero-based", "the option Sets", "the flag --sets")
