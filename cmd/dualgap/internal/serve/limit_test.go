package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// refused fails unless an answer is 503 with an error, and says when to come again.
func refused(t *testing.T, w *http.Response) {
	t.Helper()
	defer w.Body.Close()
	var v map[string]string
	if err := json.NewDecoder(w.Body).Decode(&v); err != nil || w.StatusCode != 503 || len(v) != 1 ||
		!strings.Contains(v["error"], "too many requests") || w.Header.Get("Retry-After") != "1" {
		t.Errorf("%s %v %v %v", w.Status, w.Header, v, err)
	}
}

// While as many requests run as may, those beyond are refused, with a body or before it has come, and what tells of the
// server is answered. When one has ended the next is answered. The server ends as ever.
func TestLimit(t *testing.T) {
	c := limits()
	c.Running = 1
	address, end, ended := begin(t, c)
	url := "http://" + address
	predict := func() *http.Response {
		w, err := http.Post(url+"/predict", "application/json", strings.NewReader("[9,6]"))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	rest, send := open(t, url)
	if got := send("[9,6]"); got != "pear" {
		t.Errorf("answer %s", got)
	}
	for range 3 { // on one connection
		refused(t, predict())
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
	w, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, w)
	for _, path := range []string{"/health", "/model", "/metrics"} {
		w, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(w.Body)
		w.Body.Close()
		if w.StatusCode != 200 {
			t.Errorf("%s: %s", path, w.Status)
		}
		for _, want := range []string{"\ndualgap_requests_refused_total 4\n", `{path="/predict",code="503"} 4` + "\n",
			"\ndualgap_request_duration_seconds_count 0\n"} {
			if path == "/metrics" && !strings.Contains(string(text), want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	if got := send("[6,9]"); got != "apple" {
		t.Errorf("answer %s", got)
	}
	rest.Close()
	for begin := time.Now(); ; time.Sleep(time.Millisecond) {
		w := predict()
		w.Body.Close()
		if w.StatusCode == 200 {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatal(w.Status)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Requests are refused while too many wait for a core, though none runs.
func TestLimitReady(t *testing.T) {
	s := New(fruit(t, false), limits())
	waiting, most := 0, max(100, Requests())
	s.ready = func() int { return waiting }
	for _, c := range []struct{ waiting, code int }{{most, 200}, {most + 1, 503}, {0, 200}} {
		waiting = c.waiting
		if code, got := ask(s.Handler(), "POST", "/predict", "", "[9,6]"); code != c.code {
			t.Errorf("%d waiting: %d %s, want %d", c.waiting, code, got, c.code)
		}
		if code, got := ask(s.Handler(), "GET", "/health", "", ""); code != 200 {
			t.Errorf("%d waiting: %d %s", c.waiting, code, got)
		}
	}
}
