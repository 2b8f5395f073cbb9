package serve

import (
	"fmt"
	"maps"
	"net/http"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// bounds are the upper bounds of the classes of times, in seconds.
var bounds = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// serverMetrics are counts and times.
type serverMetrics struct {
	running, rows, refused atomic.Int64
	reloads, reloadsFailed atomic.Int64

	mutex    sync.Mutex
	requests map[request]int64
	times    [len(bounds) + 1]int64 // of /predict, by class; not of requests that are refused
	sum      float64                // in seconds
}

// request is what requests are counted by. Paths that there are not are "other".
type request struct {
	path string
	code int
}

// count counts a request that has ended.
func (m *serverMetrics) count(path string, code int, took time.Duration) {
	switch path {
	case "/predict", "/health", "/model", "/metrics":
	default:
		path = "other"
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.requests == nil {
		m.requests = map[request]int64{}
	}
	m.requests[request{path, code}]++
	if path == "/predict" && code != http.StatusServiceUnavailable {
		at, _ := slices.BinarySearch(bounds[:], took.Seconds())
		m.times[at]++
		m.sum += took.Seconds()
	}
}

// write answers with all of it, in the text format of Prometheus, version 0.0.4.
func (m *serverMetrics) write(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	about := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	m.mutex.Lock()
	requests, times, sum := maps.Clone(m.requests), m.times, m.sum
	m.mutex.Unlock()
	about("dualgap_requests_total", "counter", "Requests that were answered, by path and status.")
	for _, r := range slices.SortedFunc(maps.Keys(requests), func(a, b request) int {
		return strings.Compare(fmt.Sprint(a.path, a.code), fmt.Sprint(b.path, b.code))
	}) {
		fmt.Fprintf(&b, "dualgap_requests_total{path=%q,code=\"%d\"} %d\n", r.path, r.code, requests[r])
	}
	about("dualgap_request_duration_seconds", "histogram",
		"Time from the header of a request of /predict to the end of its answer, where it was not refused.")
	total := int64(0)
	for j, n := range times {
		bound := "+Inf"
		total += n
		if j < len(bounds) {
			bound = fmt.Sprint(bounds[j])
		}
		fmt.Fprintf(&b, "dualgap_request_duration_seconds_bucket{le=%q} %d\n", bound, total)
	}
	fmt.Fprintf(&b, "dualgap_request_duration_seconds_sum %v\ndualgap_request_duration_seconds_count %d\n", sum, total)
	for _, v := range []struct {
		name, kind, help string
		value            int64
	}{
		{"dualgap_rows_total", "counter", "Rows that were predicted.", m.rows.Load()},
		{"dualgap_requests_running", "gauge", "Requests that have begun and not ended.", m.running.Load()},
		{"dualgap_requests_refused_total", "counter", "Requests of /predict beyond the limit of what runs at a time.",
			m.refused.Load()},
		{"dualgap_reloads_total", "counter", "Models that took the place of the one before.", m.reloads.Load()},
		{"dualgap_reloads_failed_total", "counter", "Models that could not be read when they were to.",
			m.reloadsFailed.Load()},
		{"dualgap_memory_bytes", "gauge", "Memory that Go has from the system.", memory()},
	} {
		about(v.name, v.kind, v.help)
		fmt.Fprintf(&b, "%s %d\n", v.name, v.value)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write([]byte(b.String()))
}

// memory returns the bytes that Go has from the system and has not given back.
func memory() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
