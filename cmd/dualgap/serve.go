package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/serve"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// Serve are the arguments and flags of "dualgap serve".
type Serve struct {
	Model string `arg:"" help:"File of the model: one of dualgap, a text of LIBLINEAR or LIBSVM, ONNX or safetensors. SIGHUP reads it anew."`

	Listen                string        `group:"output" default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Where to listen: host and port, :8080 for all networks, port 0 for one that is free."`
	MaxBody               int           `group:"output" default:"32" placeholder:"MEGABYTES" help:"The largest body of a request, of NDJSON the longest line."`
	MaxRows               int           `group:"output" default:"10000" placeholder:"N" help:"Rows in a request of JSON at most; NDJSON may have any number."`
	MaxConcurrentRequests int           `group:"output" default:"0" placeholder:"N" help:"Requests that are answered at a time; those beyond get 503 at once. 0: 256 for each core."`
	Timeout               time.Duration `group:"output" default:"60s" help:"For a request to come, and for an answer to be taken; of NDJSON for each part."`
	Grace                 time.Duration `group:"output" default:"10s" help:"For requests to come to their end after SIGTERM or Ctrl-C."`
}

// Help is the end of the help.
func (*Serve) Help() string {
	return `POST /predict takes a row or rows as JSON, and answers as predict --json does. A row is an array of numbers, an object by the
names of the features, or what is not 0 of it, with indices from 0. Many rows go as {"rows": [...]}, or as NDJSON, a line
each, which is answered line by line. ?k=3, ?scores and ?probabilities ask for more. GET /health, /model and /metrics
tell of the server. What is wrong with a request is answered by 4xx and {"error": "..."}. Requests of /predict beyond
--max-concurrent-requests are answered by 503 and Retry-After; one of NDJSON counts for as long as it lasts.

SIGHUP reads the model's file anew: where it cannot be read the old model goes on. SIGTERM and Ctrl-C end the server when the
requests that run have ended; a second one ends it at once.

Examples:

  dualgap serve model.dg
  curl -d '[5.1, 3.5, 1.4, 0.2]' localhost:8080/predict
  curl -d '{"rows": [{"age": 51, "height": 1.74}]}' 'localhost:8080/predict?probabilities'
  curl -H 'Content-Type: application/x-ndjson' --data-binary @rows.ndjson localhost:8080/predict`
}

// Validate is called by kong.
func (s *Serve) Validate() error {
	switch {
	case s.MaxBody < 1 || s.MaxBody > 1<<10:
		return usage("--max-body %d: want 1 to 1024 megabytes", s.MaxBody)
	case s.MaxRows < 1:
		return usage("--max-rows %d: want 1 at least", s.MaxRows)
	case s.MaxConcurrentRequests < 0 || s.MaxConcurrentRequests > mostRequests:
		return usage("--max-concurrent-requests %d: want 0 to %d", s.MaxConcurrentRequests, mostRequests)
	case s.Timeout <= 0:
		return usage("--timeout %v: want a time above 0", s.Timeout)
	case s.Grace < 0:
		return usage("--grace %v: want 0 at least", s.Grace)
	}
	return nil
}

// mostRequests is more than any machine answers at a time.
const mostRequests = 1 << 20

// Run serves until ctx ends, or a signal comes.
func (s *Serve) Run(ctx context.Context, out *output) error {
	p, err := openModel(s.Model)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", s.Listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", s.Listen, err)
	}
	requests := s.MaxConcurrentRequests
	if requests == 0 {
		requests = serve.Requests()
	}
	own := serve.New(p, serve.Config{
		MaxBody: int64(s.MaxBody) << 20, MaxRows: s.MaxRows, Running: requests, Read: s.Timeout, Write: s.Timeout,
		Grace: s.Grace, Log: out.err,
	})
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	hangups := make(chan os.Signal, 1)
	if len(reloads) > 0 { // of no signals Notify takes all
		signal.Notify(hangups, reloads...)
		defer signal.Stop(hangups)
	}
	go func() {
		for {
			select {
			case <-hangups:
				s.reload(own, out)
			case <-ctx.Done():
				return
			}
		}
	}()
	features, _ := p.Dims()
	fmt.Fprintf(out.err, "%s, of %d features, answers at http://%s/predict\n", s.Model, features, l.Addr())
	return own.Serve(ctx, l)
}

// reload reads the model's file anew.
func (s *Serve) reload(own *serve.Server, out *output) {
	err := own.Reload(func() (*predictor.Predictor, error) {
		if s.Model == "-" {
			return nil, fmt.Errorf("the model came by standard input, which is read once")
		}
		return openModel(s.Model)
	})
	if err != nil {
		fmt.Fprintf(out.err, "reload: %v; the model that is loaded goes on\n", err)
		return
	}
	fmt.Fprintf(out.err, "reload: %s answers from now on\n", s.Model)
}
