// Command serve measures "dualgap serve" on images of clothing, 784 features each: how many rows it answers a second in
// batches, how long single rows take at a given rate, and whether its memory grows.
//
//	go run ./bench/serve [-for 10s] [-batch 100] [-connections 4] [-rate 1000] [-cores 1]
//	go run ./bench/serve -for 10m          # memory
//	go run ./bench/serve -url http://127.0.0.1:8080   # of a server of this model that runs already
//
// It builds the command, trains a model and starts the server on a number of cores. Requests at a rate are sent when
// they are due, whether those before them have been answered or not, and their time counts from then. The machine
// should have cores to spare: the program that asks takes about as much time as the one that answers.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/dualgap/dualgap/bench/internal/ending"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/topk"
)

func main() {
	ctx, stop := ending.Context()
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (ended error) {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	url := f.String("url", "", "address of a server that runs already; by default one is started")
	program := f.String("dualgap", "", "`file` of the command; by default it is built from this clone")
	cores := f.Int("cores", 1, "cores that the server may use")
	var l load
	f.DurationVar(&l.during, "for", 10*time.Second, "length of each part")
	f.IntVar(&l.batch, "batch", 100, "rows in a batch")
	f.IntVar(&l.connections, "connections", 4, "batches on their way at a time")
	f.IntVar(&l.rate, "rate", 1000, "single rows a second")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || l.during <= 0 || l.batch < 1 || l.connections < 1 || l.rate < 1 || *cores < 1 {
		return fmt.Errorf("want flags alone, and numbers above 0, have %q", args)
	}
	_, test := samples.FashionMNIST[float32]()
	l.rows = test.X
	if *url == "" {
		dir, remove, err := ending.Folder("serve")
		if err != nil {
			return err
		}
		defer func() { ended = errors.Join(ended, remove()) }()
		s, err := start(ctx, dir, *program, *cores)
		if err != nil {
			return err
		}
		defer func() { ended = errors.Join(ended, s.stop()) }()
		*url, l.pid = s.url, s.cmd.Process.Pid
	}
	l.url = *url
	return l.run(ctx, out)
}

// server is a command that serves.
type server struct {
	cmd *exec.Cmd
	url string
}

// start trains a model and starts the command, built in dir unless it is there already.
func start(ctx context.Context, dir, program string, cores int) (*server, error) {
	model := filepath.Join(dir, "model.dg")
	if err := train(ctx, model); err != nil {
		return nil, err
	}
	if program == "" {
		program = filepath.Join(dir, "dualgap")
		build := exec.CommandContext(ctx, "go", "build", "-o", program, "github.com/dualgap/dualgap/cmd/dualgap")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return nil, fmt.Errorf("go build: %w", err)
		}
	}
	s := &server{cmd: exec.Command(program, "serve", "--listen", "127.0.0.1:0", model)}
	s.cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", cores))
	stderr, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	told := bufio.NewReader(stderr)
	line, err := told.ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), " answers at ")
	if !ok {
		s.cmd.Process.Kill()
		return nil, fmt.Errorf("the server says %q, %v", line, err)
	}
	go io.Copy(os.Stderr, told)
	s.url = strings.TrimSuffix(url, "/predict")
	return s, nil
}

// stop ends the server, and kills it if it has not ended after some seconds.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		s.cmd.Process.Kill() // where there are no signals
	}
	defer time.AfterFunc(10*time.Second, func() { s.cmd.Process.Kill() }).Stop()
	return s.cmd.Wait()
}

// train writes a model of the images.
func train(ctx context.Context, path string) error {
	images, _ := samples.FashionMNIST[float32]()
	r, err := topk.Fit(ctx, images.X, images.Y, topk.Config{Lambda: .01, Tol: .05})
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = r.Linear.WriteTo(f)
	return errors.Join(err, f.Close())
}
