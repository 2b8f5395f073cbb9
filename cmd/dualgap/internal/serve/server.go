// Package serve answers requests of HTTP with the predictions of a model.
//
//	POST /predict   a row, or rows, of JSON or NDJSON; ?k=3&scores&probabilities
//	GET  /health    whether it answers
//	GET  /model     what the model is
//	GET  /metrics   counts and times, in the text format of Prometheus
//
// What is wrong with a request is answered by a status of 4xx and an object {"error": "..."} that tells the place.
// More requests of /predict at a time than the limit are answered by 503.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/answer"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/jsonrow"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// Config are the limits of a Server.
type Config struct {
	MaxBody int64         // bytes of a body, of NDJSON of a line
	MaxRows int           // in a request of JSON
	Running int           // requests of /predict that are answered at a time
	Read    time.Duration // for a request to come, of NDJSON for each part of it
	Write   time.Duration // for an answer to be taken, of NDJSON for each part of it
	Grace   time.Duration // for what runs when the server is to end
	Log     io.Writer     // what goes wrong inside
}

// Server answers with a model, which may be replaced while it runs.
type Server struct {
	config  Config
	model   atomic.Pointer[loaded]
	slots   chan struct{} // holds one for each request of /predict that is being answered
	ready   func() int    // goroutines that wait for a core
	ending  atomic.Bool
	metrics serverMetrics
}

// loaded is a model, and the memory of requests to it. Requests that have begun go on with theirs after another is
// loaded.
type loaded struct {
	p       *predictor.Predictor
	objects *answer.Objects
	at      time.Time
	works   sync.Pool // of *work
}

// work is the memory of a request.
type work struct {
	parser jsonrow.Parser
	rows   *predictor.Rows
	body   []byte
	out    []byte
}

// New returns a Server that answers with p.
func New(p *predictor.Predictor, c Config) *Server {
	s := &Server{config: c, slots: make(chan struct{}, c.Running), ready: ready}
	s.Replace(p)
	return s
}

// Replace makes p answer the requests that come from now on.
func (s *Server) Replace(p *predictor.Predictor) {
	s.model.Store(&loaded{p: p, objects: answer.NewObjects(p), at: time.Now()})
}

// Reload replaces the model by what open returns, or keeps it where that is an error, which it returns.
func (s *Server) Reload(open func() (*predictor.Predictor, error)) error {
	p, err := open()
	if err != nil {
		s.metrics.reloadsFailed.Add(1)
		return err
	}
	s.Replace(p)
	s.metrics.reloads.Add(1)
	return nil
}

// work returns memory for a request; back takes it.
func (l *loaded) work() *work {
	if w, ok := l.works.Get().(*work); ok {
		w.rows.Reset()
		w.out = w.out[:0]
		return w
	}
	return &work{rows: l.p.NewRows()}
}

// back keeps the memory of a request unless it is so much that few need it.
func (l *loaded) back(w *work) {
	const most = 8 << 20
	if cap(w.body) <= most && cap(w.out) <= most {
		l.works.Put(w)
	}
}

// Serve answers the requests that come by l until ctx ends; then it takes no more, and lets those that run come to
// their end while the grace lasts. An error tells that they have not, or that l has failed.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	own := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: min(s.config.Read, 10*time.Second),
		ReadTimeout:       s.config.Read,
		// from the header on; answers of /predict have Write for themselves
		WriteTimeout:   s.config.Read + s.config.Write,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 1 << 16,
		ErrorLog:       log.New(s.config.Log, "dualgap: ", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- own.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.ending.Store(true)
	grace, cancel := context.WithTimeout(context.Background(), s.config.Grace)
	defer cancel()
	if err := own.Shutdown(grace); err != nil {
		own.Close()
		return fmt.Errorf("requests that had not ended %v after the signal were cut", s.config.Grace)
	}
	return nil
}

// Handler returns what answers requests.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		answered := &answered{ResponseWriter: w}
		path := r.URL.Path
		s.metrics.running.Add(1)
		defer func() {
			if v := recover(); v != nil {
				if v == http.ErrAbortHandler {
					s.metrics.running.Add(-1)
					panic(v)
				}
				fmt.Fprintf(s.config.Log, "dualgap: a request of %s: %v\n%s", path, v, debug.Stack())
				fail(answered, http.StatusInternalServerError,
					errors.New("an error of the server, which its log tells"))
			}
			s.metrics.running.Add(-1)
			s.metrics.count(path, answered.code, time.Since(begin))
		}()
		s.route(answered, r)
	})
}

func (s *Server) route(w *answered, r *http.Request) {
	get := map[string]http.HandlerFunc{"/health": s.health, "/model": s.about, "/metrics": s.metrics.write}[r.URL.Path]
	switch {
	case r.URL.Path == "/predict" && r.Method == http.MethodPost:
		s.limited(w, r)
	case get != nil && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		get(w, r)
	case r.URL.Path == "/predict":
		w.Header().Set("Allow", "POST")
		fail(w, http.StatusMethodNotAllowed, fmt.Errorf("method %.20q of /predict, want POST", r.Method))
	case get != nil:
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed, fmt.Errorf("method %.20q of %s, want GET", r.Method, r.URL.Path))
	default:
		fail(w, http.StatusNotFound, fmt.Errorf("path %.100q, want POST /predict or GET /health, /model or /metrics",
			r.URL.Path))
	}
}

// health answers 200, and 503 once the server is to end.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	if s.ending.Load() {
		object(w, http.StatusServiceUnavailable, map[string]string{"status": "ending"})
		return
	}
	object(w, http.StatusOK, map[string]string{"status": "ok"})
}

// fail answers with an error, unless an answer has begun.
func fail(w *answered, code int, err error) {
	if w.code == 0 {
		object(w, code, map[string]string{"error": err.Error()})
	}
}

// object answers with an object.
func object(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.Encode(v)
}

// answered is an answer whose status is known; 0 before it begins.
type answered struct {
	http.ResponseWriter
	code int
}

func (w *answered) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *answered) Write(b []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *answered) Unwrap() http.ResponseWriter { return w.ResponseWriter }
