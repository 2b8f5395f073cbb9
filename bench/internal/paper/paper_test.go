package paper

import (
	"context"
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, args := range [][]string{nil, {"nobody"}, {"-data"}} {
		if err := Run(context.Background(), args, io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), "want one of m3l, mkl, topk") {
			t.Errorf("%q: %v", args, err)
		}
	}
	var help strings.Builder
	if err := Run(context.Background(), []string{"-h"}, io.Discard, &help); !errors.Is(err, flag.ErrHelp) {
		t.Error(err)
	}
	for _, c := range commands {
		if !strings.Contains(help.String(), c.name) {
			t.Errorf("no %s in %q", c.name, help.String())
		}
		var text strings.Builder
		if err := Run(context.Background(), []string{c.name, "-h"}, io.Discard, &text); !errors.Is(err, flag.ErrHelp) ||
			!strings.Contains(text.String(), "bench paper "+c.name) {
			t.Errorf("%s: %v, %q", c.name, err, text.String())
		}
		if err := Run(context.Background(), []string{c.name, "-data", "no-such"}, io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), "paper "+c.name+": -data no-such") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
