package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A server is asked what it should be, and what is measured is told.
func TestRun(t *testing.T) {
	var rows, requests atomic.Int64
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			fmt.Fprintln(w, "dualgap_memory_bytes 2500000")
			return
		}
		var body struct{ Rows [][]float64 }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Rows[0]) != 784 {
			t.Error(err)
		}
		rows.Add(int64(len(body.Rows)))
		requests.Add(1)
		fmt.Fprint(w, `{"predictions":[{"label":"a"}]}`)
	}))
	defer h.Close()
	var out strings.Builder
	if err := run(context.Background(), []string{"-url", h.URL, "-for", "50ms", "-batch", "3", "-rate", "200"},
		&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"batches of 3 rows: ", "single rows, 200 a second for 50ms: median ", " 0 errors\n",
		": 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
	if singles := 3*requests.Load() - rows.Load(); singles != 2*10 {
		t.Errorf("%d rows in %d requests", rows.Load(), requests.Load())
	}
}

func TestErrors(t *testing.T) {
	h := httptest.NewServer(http.NotFoundHandler())
	defer h.Close()
	for _, args := range [][]string{{"-url", h.URL}, {"-rate", "0"}, {"x"}, {"-url", "http://127.0.0.1:1"}} {
		if err := run(context.Background(), args, new(strings.Builder)); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
