package serve

import (
	"errors"
	"net/http"
	"runtime"
	"runtime/metrics"
	"time"
)

// Requests returns how many requests are answered at a time where nothing else is said. Most of them wait for bodies to
// come and for answers to be taken, so that a core needs many to be busy.
func Requests() int { return 256 * runtime.GOMAXPROCS(0) }

// limited answers a request of /predict, unless as many as the limit run, or more wait for a core: then it answers 503.
//
// Both are counted. Requests whose bodies are slow to come run. But those that come faster than the cores answer hardly
// ever run at a time: each ends once it has a core, and the others wait as goroutines that are ready, one for each
// connection. A few are ready in any server, so that a limit below Requests is for those that run alone.
func (s *Server) limited(w *answered, r *http.Request) {
	if s.ready() > max(cap(s.slots), Requests()) {
		s.refuse(w, r)
		return
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		s.predict(w, r)
	default:
		s.refuse(w, r)
	}
}

// ready returns how many goroutines wait for a core.
func ready() int {
	s := [1]metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}}
	metrics.Read(s[:])
	return int(s[0].Value.Uint64())
}

// refuse answers 503. Before that net/http reads a short body, so that the connection can go on: most have come with
// the header. A long one is not waited for. Neither holds the connection, and with it the end of the server, for more
// than a second.
func (s *Server) refuse(w *answered, r *http.Request) {
	const short = 1 << 16
	s.metrics.refused.Add(1)
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Second))
	if r.ContentLength < 0 || r.ContentLength > short {
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("Retry-After", "1")
	fail(w, http.StatusServiceUnavailable, errors.New("too many requests at a time, try again later"))
}
