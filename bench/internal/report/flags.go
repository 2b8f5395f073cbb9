package report

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Flags are the flags that the commands of all papers have. A command adds its own to the FlagSet.
type Flags struct {
	*flag.FlagSet
	Data   Folder
	NoData bool // -data may be left out: Data is "" then
	out    string
	about  string
}

// NewFlags returns the flags of a command; data says which files lie in -data, about what the command does.
func NewFlags(name, data, about string) *Flags {
	f := &Flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), about: about}
	f.SetOutput(io.Discard) // the caller prints errors
	f.StringVar((*string)(&f.Data), "data", os.Getenv("DUALGAP_DATA"), "`folder` of "+data)
	f.StringVar(&f.out, "out", "", "write tables as JSON, and figures as JSON and SVG, into `folder`")
	return f
}

// Begin parses the arguments and returns the report. Help goes to stderr, with flag.ErrHelp as the error.
func (f *Flags) Begin(args []string, text, stderr io.Writer) (*Report, error) {
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintf(stderr, "%s\n\nusage: go run ./bench paper %s [flags]\n", f.about, f.Name())
			f.SetOutput(stderr)
			f.PrintDefaults()
		}
		return nil, err
	}
	if f.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q: there are only flags, see -h", f.Arg(0))
	}
	if f.Data != "" || !f.NoData {
		if err := f.Data.check(); err != nil {
			return nil, err
		}
	}
	return New(text, stderr, f.out)
}

// Positive returns the positive numbers of a list such as 0.01,0.1, ascending; name is the flag's.
func Positive(name, list string) (numbers []float64, err error) {
	for s := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("-%s %s: %q is not a positive number", name, list, s)
		}
		numbers = append(numbers, v)
	}
	slices.Sort(numbers)
	return numbers, nil
}
