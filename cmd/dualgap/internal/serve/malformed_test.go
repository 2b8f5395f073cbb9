package serve

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestMalformed: 10000 requests that are wrong in one way or another are answered by 4xx with an error each, and the
// server answers right ones in between.
func TestMalformed(t *testing.T) {
	h := New(fruit(t, false), limits()).Handler()
	rng := rand.New(rand.NewPCG(1, 2))
	codes := map[int]int{}
	for i := range 10000 {
		method, path, kind, body := malformed(rng)
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
		if rng.IntN(2) == 0 {
			r.ContentLength = -1 // as chunks
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		checkError(t, w.Code, w.Body.String())
		if t.Failed() {
			t.Fatalf("request %d: %s %s, %s: %q", i, method, path, kind, body)
		}
		codes[w.Code]++
		if i%100 == 0 {
			if code, got := ask(h, "POST", "/predict", "", "[9,6]"); code != 200 || !strings.Contains(got, "pear") {
				t.Fatalf("after request %d: %d %s", i, code, got)
			}
		}
	}
	t.Log(codes)
	for _, code := range []int{400, 404, 405, 413, 415} {
		if codes[code] == 0 {
			t.Errorf("none of %d", code)
		}
	}
}

// malformed returns a request that is wrong.
func malformed(rng *rand.Rand) (method, path, kind, body string) {
	method, path, kind = "POST", "/predict", "application/json"
	body = right(rng)
	switch rng.IntN(12) {
	case 0: // wrong methods and paths, queries and types
		switch rng.IntN(4) {
		case 0:
			method = pick(rng, "GET", "PUT", "PATCH", "DELETE", "X")
		case 1:
			path = pick(rng, "/", "/predict/", "/Predict", "/../predict", "/predict.json", "/models")
		case 2:
			path += "?" + pick(rng, "k=0", "k=-1", "k=3", "k=x", "k=", "k=99999999999999999999", "a=1", "scores=2",
				"probabilities", "%", "k=1;2", "k=1&k=1")
		case 3:
			kind = pick(rng, "text/plain", "application/xml", "image/png", "json", ";",
				"application/json; charset=utf-16", "multipart/form-data; boundary=x")
		}
		return method, path, kind, body
	case 1: // more than is allowed
		body = pick(rng, `{"rows":[`+strings.Repeat(`[1,2],`, 100+rng.IntN(10))+"[1,2]]}", strings.Repeat(" ", 1<<16)+
			body, strings.Repeat("[", 1<<16+rng.IntN(100)))
	case 2: // cut short; an object or an array is not whole before its last byte
		body = body[:rng.IntN(len(body))]
	case 3: // a byte that has no place anywhere
		at := rng.IntN(len(body))
		body = body[:at] + pick(rng, "\x00", "#", "\x7f", "\xff", "'", "$", "\x01") + body[at+rng.IntN(2):]
	case 4: // something behind it
		body += pick(rng, "x", ",", "]", "}", "[1,2]", "\x00", "1")
	case 5: // numbers that are none
		body = fmt.Sprintf("[%s,1]", pick(rng, "NaN", "Infinity", "-Infinity", "+1", "01", ".5", "1.", "1e", "0x10",
			"1_000", "null", "true", `"1"`, "[1]", "{}", "1e400", "-1e400", "1e39", "--1", "1e5e5", "٣"))
	case 6: // rows of a wrong length
		n := pick(rng, 0, 1, 3, 4, 1000)
		body = "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]"
	case 7: // names that are wrong
		body = pick(rng, "{}", `{"length":1}`, `{"length":1,"width":2,"height":3}`, `{"length":1,"length":2}`,
			`{"Length":1,"width":2}`, `{"length":"1","width":2}`,
			`{"length":null,"width":2}`, `{"length":{},"width":2}`, `{"rows":{}}`, `{"rows":1}`, `{"rows":null}`,
			`{"rows":[[1,2]],"rows":[]}`, `{"":1}`, `{"\ud800":1,"width":1}`)
	case 8: // sparse rows that are wrong
		body = pick(rng, `{"indices":[0]}`, `{"values":[1]}`, `{"indices":[0,1],"values":[1]}`,
			`{"indices":[2],"values":[1]}`, `{"indices":[-1],"values":[1]}`, `{"indices":[0.5],"values":[1]}`,
			`{"indices":[0,0],"values":[1,1]}`, `{"indices":[0],"values":["1"]}`, `{"indices":0,"values":1}`,
			`{"indices":[1e300],"values":[1]}`, `{"indices":[0],"values":[1],"width":1}`)
	case 9: // one wrong row among right ones
		rows := make([]string, 1+rng.IntN(20))
		for k := range rows {
			rows[k] = "[1,2]"
		}
		rows[rng.IntN(len(rows))] = pick(rng, "[1]", "1", "null", `"a"`, "[1,2,3]", "[[1,2]]", ",", `{"length":1}`)
		body = `{"rows":[` + strings.Join(rows, ",") + `]}`
	case 10: // depth
		body = strings.Repeat(pick(rng, "[", `{"rows":[`, `{"a":`), 1+rng.IntN(5000))
	case 11: // any bytes
		some := make([]byte, rng.IntN(200))
		for k := range some {
			some[k] = byte(rng.IntN(256))
		}
		if body = string(some); json.Valid(some) {
			body = "?"
		}
	}
	if kind == "application/json" && rng.IntN(3) == 0 && !strings.Contains(body, "\n") &&
		strings.TrimSpace(body) != "" {
		kind = ndjson // whose first line it is
	}
	return method, path, kind, body
}

// right returns a request that is not wrong.
func right(rng *rand.Rand) string {
	return pick(rng, "[1,2]", `{"length":1.5,"width":-2e-3}`, `{"rows":[[1,2],[3,4],{"indices":[0],"values":[1]}]}`,
		`{"indices":[1,0],"values":[0.5,2]}`)
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }
