package defaults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// build compiles the command and returns its path.
func build(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "dualgap")
	_, err := output(exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/dualgap/dualgap/cmd/dualgap"))
	return path, err
}

// ours trains a family by its defaults and returns the accuracy, in percent. That training ended before the tolerance
// was reached, exit code 3, is no error: what it saves is what the user has.
func (b *bench) ours(ctx context.Context, f *files, family, scaling string) (float64, error) {
	model := filepath.Join(b.dir, "model.dg")
	args := append([]string{"train"}, strings.Fields(family)...)
	_, err := output(exec.CommandContext(ctx, b.program, append(args, "-q", "--scale", scaling, f.csv[0], model)...))
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 3) {
		return 0, err
	}
	text, err := output(exec.CommandContext(ctx, b.program, "evaluate", "--json", f.csv[1], model))
	if err != nil {
		return 0, err
	}
	var measured struct{ Accuracy *float64 }
	if err := json.Unmarshal(text, &measured); err != nil || measured.Accuracy == nil {
		return 0, fmt.Errorf("no accuracy in %q: %v", text, err)
	}
	return 100 * *measured.Accuracy, nil
}

// output runs a program and returns what it prints; its error has what it says on the standard error. A program that it
// has started in turn, and that holds the output open, is not waited for once the context has ended.
func output(c *exec.Cmd) ([]byte, error) {
	var out, said bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &out, &said, time.Second
	err := c.Run()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", filepath.Base(c.Path), err, strings.TrimSpace(said.String()))
	}
	return out.Bytes(), err
}
