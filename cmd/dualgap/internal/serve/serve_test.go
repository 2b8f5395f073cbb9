package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// fruit is a model of the features length and width: apples are wider than long. turned exchanges the names.
func fruit(t testing.TB, turned bool) *predictor.Predictor {
	t.Helper()
	names := []string{"apple", "pear"}
	if turned {
		names = []string{"pear", "apple"}
	}
	m, err := linear.New(vec.MatrixOf(2, 2, []float32{-1, 1, 1, -1}), nil, names)
	if err != nil {
		t.Fatal(err)
	}
	p, err := predictor.New(&model.Model[float32]{Linear: m.WithNotes(map[string]string{
		predictor.NoteFeatures: "length,width", "solver": "topk", "outcome": "converged",
	})})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func limits() Config {
	return Config{MaxBody: 1 << 16, MaxRows: 100, Running: 100, Read: time.Minute, Write: time.Minute,
		Grace: time.Minute, Log: io.Discard}
}

// ask returns the status and the text of an answer.
func ask(h http.Handler, method, path, kind, body string) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const ndjson = "application/x-ndjson"

func TestPredict(t *testing.T) {
	h := New(fruit(t, false), limits()).Handler()
	pear, apple := `{"label":"pear","labels":["pear"]}`, `{"label":"apple","labels":["apple"]}`
	for _, c := range []struct{ path, kind, body, want string }{
		{"/predict", "application/json", "[9,6]", pear + "\n"},
		{"/predict", "application/json; charset=UTF-8", ` {"length":9, "width":6} `, pear + "\n"},
		{"/predict", "", `{"indices":[1],"values":[6]}`, apple + "\n"},
		{"/predict", "application/x-www-form-urlencoded", `{"rows":[[9,6],{"width":7,"length":6}]}`,
			`{"predictions":[` + pear + "," + apple + "]}\n"},
		{"/predict", "", `{"rows":[]}`, `{"predictions":[]}` + "\n"},
		{"/predict?k=2&scores", "", "[9,6]", `{"label":"pear","labels":["pear","apple"],"scores":{"pear":3,"apple":-3}}` + "\n"},
		{"/predict?scores=1&probabilities=false", "", "[9,6]",
			`{"label":"pear","labels":["pear"],"scores":{"apple":-3,"pear":3}}` + "\n"},
		{"/predict", ndjson, "[9,6]\n\n {\"length\":6,\"width\":7}\r\n[9,6]", pear + "\n" + apple + "\n" + pear + "\n"},
		{"/predict", ndjson, "", ""},
		{"/predict?k=1", ndjson, strings.Repeat("[9,6]\n", 1000), strings.Repeat(pear+"\n", 1000)},
		{"/health", "", "", `{"status":"ok"}` + "\n"},
	} {
		method := "POST"
		if c.path == "/health" {
			method = "GET"
		}
		for range 2 { // with memory that has been used
			if code, got := ask(h, method, c.path, c.kind, c.body); code != 200 || got != c.want {
				t.Errorf("%s %s %.100q: %d %s, want %s", c.path, c.kind, c.body, code, got, c.want)
			}
		}
	}
}

// Errors have a status and an object that tells the place. In a stream that has begun to be answered it is the last
// line.
func TestErrors(t *testing.T) {
	h := New(fruit(t, false), limits()).Handler()
	many := `{"rows":[` + strings.TrimSuffix(strings.Repeat("[1,2],", 101), ",") + "]}"
	for _, c := range []struct {
		code                           int
		method, path, kind, body, want string
	}{
		{400, "POST", "/predict", "", "", "byte 0: found the end"},
		{400, "POST", "/predict", "", "[1]", "1 numbers, the model has 2 features"},
		{400, "POST", "/predict", "", `{"rows":[[1,2],[1,x]]}`, `rows[1][1], byte 18: found \"x]]}\", want a number`},
		{400, "POST", "/predict", "", "[1e39,0]", `feature 0 \"length\" is 1e+39, want a finite number of 32 bits`},
		{400, "POST", "/predict", "", "[3e38,-3e38]", "score of row 0 for"},
		{413, "POST", "/predict", "", many, "rows[100], byte 609: too many rows, want 100 at most"},
		{413, "POST", "/predict", "", strings.Repeat(" ", 1<<16+1), "too large"},
		{413, "POST", "/predict", ndjson, strings.Repeat(" ", 1<<16+1), "line 1: "},
		{413, "POST", "/predict", ndjson, "\n\n" + strings.Repeat("[1,2", 1<<16) + "\n", "line 3: "},
		{400, "POST", "/predict", ndjson, "[1,2", "line 1: [2], byte 4: found the end"},
		{400, "POST", "/predict", ndjson, "\n7\n", "line 2: byte 0"},
		{400, "POST", "/predict", ndjson, "[3e38,-3e38]", "line 1"},
		{400, "POST", "/predict", ndjson, `{"rows":[[1,2]]}`, `found \"[[1,2]]}\", want a number`},
		{400, "POST", "/predict", ndjson, "[9,6]\n\n[7,x]\n", "line 3: [1], byte 3"},
		{415, "POST", "/predict", "text/csv", "1,2", `text/csv`},
		{415, "POST", "/predict", "application/json; charset=latin1", "[1,2]", "want utf-8"},
		{415, "POST", "/predict", "a/b/c;;", "[1,2]", "content type"},
		{400, "POST", "/predict?k=0", "", "[1,2]", "k is"},
		{400, "POST", "/predict?k=3", "", "[1,2]", "3 best of 2"},
		{400, "POST", "/predict?k=1&k=2", "", "[1,2]", "comes 2 times"},
		{400, "POST", "/predict?scores=perhaps", "", "[1,2]", "scores is"},
		{400, "POST", "/predict?probabilities", "", "[1,2]", "no probabilities"},
		{400, "POST", "/predict?threads=2", "", "[1,2]", "threads"},
		{400, "POST", "/predict?%zz", "", "[1,2]", "query"},
		{405, "GET", "/predict", "", "", "want POST"},
		{405, "DELETE", "/model", "", "", "want GET"},
		{404, "GET", "/", "", "", "path"},
		{404, "POST", "/predict/", "", "[1,2]", "path"},
	} {
		code, got := ask(h, c.method, c.path, c.kind, c.body)
		if code != c.code || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %.60q: %d %s, want %d %s", c.method, c.path, c.body, code, got, c.code, c.want)
		}
		checkError(t, code, got)
	}
	r := httptest.NewRequest("POST", "/predict", strings.NewReader("[1,2]"))
	r.Header.Set("Content-Encoding", "gzip")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != 415 {
		t.Errorf("gzip: %d", w.Code)
	}
}

// An error behind answers that have gone out is the last line.
func TestStreamError(t *testing.T) {
	h := httptest.NewServer(New(fruit(t, false), limits()).Handler())
	defer h.Close()
	rest, send := open(t, h.URL)
	defer rest.Close()
	send("[9,6]")
	if got := send("\n[7,x]"); !strings.HasPrefix(got, "line 3: [1], byte 3: ") {
		t.Errorf("answer %q", got)
	}
}

// checkError fails unless an answer is 4xx and an object with an error.
func checkError(t *testing.T, code int, text string) {
	t.Helper()
	var v map[string]string
	if err := json.Unmarshal([]byte(text), &v); err != nil || len(v) != 1 || v["error"] == "" || code < 400 ||
		code > 499 {
		t.Errorf("%d %.200s, %v", code, text, err)
	}
}

func TestModel(t *testing.T) {
	h := New(fruit(t, false), limits()).Handler()
	var got struct {
		Task, Solver, Outcome string
		Features, Outputs     int
		FeatureNames, Classes []string
		Bits                  int
		Loaded                time.Time
	}
	code, text := ask(h, "GET", "/model", "", "")
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 200 || got.Task != "classes" ||
		got.Outcome != "converged" || got.Features != 2 ||
		got.FeatureNames[1] != "width" || got.Classes[1] != "pear" || got.Bits != 32 || got.Loaded.IsZero() {
		t.Errorf("%d %s %v", code, text, err)
	}
	m, err := linear.New(vec.MatrixOf(1, 1, []float64{1}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := predictor.New(&model.Model[float64]{Linear: m.WithNotes(
		map[string]string{"threshold": "0", predictor.NotePositive: "3,8"})})
	if err != nil {
		t.Fatal(err)
	}
	s := New(p, limits())
	if _, text := ask(s.Handler(), "GET", "/model", "", ""); !strings.Contains(
		text, `"positive":["3","8"],"threshold":0,`) {
		t.Error(text)
	}
	if _, text := ask(s.Handler(), "POST", "/predict", "",
		"[-1]"); text != `{"label":null,"labels":[],"positive":false,"score":-1}`+"\n" {
		t.Error(text)
	}
}

func TestMetrics(t *testing.T) {
	s := New(fruit(t, false), limits())
	h := s.Handler()
	for _, body := range []string{"[1,2]", `{"rows":[[1,2],[3,4]]}`, "[1]"} {
		ask(h, "POST", "/predict", "", body)
	}
	ask(h, "POST", "/predict", ndjson, "[1,2]\n[3,4]\n")
	ask(h, "GET", "/no/such/path", "", "")
	if err := s.Reload(func() (*predictor.Predictor, error) { return nil, errors.New("no file") }); err == nil {
		t.Error("no error")
	}
	code, text := ask(h, "GET", "/metrics", "", "")
	for _, want := range []string{
		"\ndualgap_rows_total 5\n", `dualgap_requests_total{path="/predict",code="200"} 3` + "\n",
		`{path="/predict",code="400"} 1`, `{path="other",code="404"} 1`,
		`dualgap_request_duration_seconds_bucket{le="+Inf"} 4`, "dualgap_request_duration_seconds_count 4\n",
		"dualgap_requests_running 1\n",
		"dualgap_reloads_failed_total 1\n", "dualgap_reloads_total 0\n", "# TYPE dualgap_memory_bytes gauge\n",
	} {
		if code != 200 || !strings.Contains(text, want) {
			t.Errorf("%d, no %q in\n%s", code, want, text)
		}
	}
}

// A model that is replaced answers to the end of the requests that have begun with it; one that cannot be read replaces
// nothing.
func TestReload(t *testing.T) {
	s := New(fruit(t, false), limits())
	h := httptest.NewServer(s.Handler())
	defer h.Close()
	answers, send := open(t, h.URL)
	if got := send("[9,6]"); got != "pear" {
		t.Errorf("before: %s", got)
	}
	if err := s.Reload(func() (*predictor.Predictor, error) { return fruit(t, true), nil }); err != nil {
		t.Fatal(err)
	}
	if got := send("[9,6]"); got != "pear" {
		t.Errorf("a request that has begun: %s", got)
	}
	answers.Close()
	for range 2 {
		if _, got := ask(s.Handler(), "POST", "/predict", "", "[9,6]"); !strings.Contains(got, "apple") {
			t.Errorf("behind: %s", got)
		}
		if err := s.Reload(func() (*predictor.Predictor, error) { return nil, errors.New("broken") }); err == nil {
			t.Error("no error")
		}
	}
}

// open begins a stream; send sends a line, and returns the label of the answer or its error, which comes before the
// next line is sent.
func open(t *testing.T, url string) (rest io.Closer, send func(line string) string) {
	t.Helper()
	in, out := io.Pipe()
	r, err := http.NewRequest("POST", url+"/predict", in)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", ndjson)
	var begun sync.Once
	var answers *json.Decoder
	ready := make(chan *http.Response, 1)
	go func() {
		w, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Error(err)
		}
		ready <- w
	}()
	return out, func(line string) string {
		t.Helper()
		io.WriteString(out, line+"\n")
		begun.Do(func() {
			if w := <-ready; w != nil {
				answers = json.NewDecoder(w.Body)
			}
		})
		if answers == nil {
			t.Fatal("no answer")
		}
		var got struct{ Label, Error string }
		if err := answers.Decode(&got); err != nil {
			t.Errorf("%+v, %v", got, err)
		}
		return got.Label + got.Error
	}
}

// Many requests at once have each the right answer, while models come and go.
func TestConcurrent(t *testing.T) {
	s := New(fruit(t, false), limits())
	h := s.Handler()
	var wait sync.WaitGroup
	for k := range 8 {
		wait.Go(func() {
			for i := range 200 {
				body, want := "[9,6]", "pear"
				if (i+k)%2 == 0 {
					body, want = "[6,9]", "apple"
				}
				if i%10 == 0 {
					s.Replace(fruit(t, false))
				}
				if code, got := ask(h, "POST", "/predict", "", body); code != 200 || !strings.Contains(got, want) {
					t.Errorf("%d %s", code, got)
				}
			}
		})
	}
	wait.Wait()
}

// A panic is an answer of 500, and is told.
func TestPanic(t *testing.T) {
	c := limits()
	var log bytes.Buffer
	c.Log = &log
	s := New(fruit(t, false), c)
	s.model.Store(nil)
	if code, got := ask(s.Handler(), "POST", "/predict", "", "[1,2]"); code != 500 ||
		!strings.Contains(got, `{"error":`) || !strings.Contains(log.String(), "/predict") {
		t.Errorf("%d %s, log %s", code, got, log.String())
	}
}
