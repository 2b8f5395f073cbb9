package jsonrow

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// echo returns a model of d features whose scores are the features; they are called a, b, ... where named.
func echo(t testing.TB, d int, named bool) *predictor.Predictor {
	w := vec.NewMatrix[float64](d, d)
	var names []string
	for j := range d {
		w.Row(j)[j] = 1
		names = append(names, string(rune('a'+j)))
	}
	m, err := linear.New(w, nil, nil)
	if err == nil && named {
		m = m.WithNotes(map[string]string{predictor.NoteFeatures: predictor.FormatNames(names)})
	}
	p, err2 := predictor.New(&model.Model[float64]{Linear: m})
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return p
}

// scores returns the scores of the rows.
func scores(t testing.TB, p *predictor.Predictor, r *predictor.Rows) string {
	q, err := p.PredictBatch(nil, r, 1)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	for _, q := range q {
		all = append(all, q.Scores)
	}
	return fmt.Sprint(all)
}

func TestBody(t *testing.T) {
	p := echo(t, 2, true)
	for text, want := range map[string]string{
		"[1,2]":                            "alone [[1 2]]",
		" [ 1 , -2.5e1 ] \n":               "alone [[1 -25]]",
		`{"a":1,"b":2}`:                    "alone [[1 2]]",
		`{ "b" : 2 , "\u0061" : 1 }`:       "alone [[1 2]]",
		`{"indices":[1],"values":[3]}`:     "alone [[0 3]]",
		`{"values":[3,4],"indices":[1,0]}`: "alone [[4 3]]",
		`{"indices":[],"values":[]}`:       "alone [[0 0]]",
		`{"rows":[]}`:                      "[]",
		`{"rows":[[1,2]]}`:                 "[[1 2]]",
		"{\"rows\" : [ [1,2] ,\t{\"a\":3,\"b\":4}, {\"indices\":[0],\"values\":[5]} ] }": "[[1 2] [3 4] [5 0]]",
	} {
		r, parser := p.NewRows(), new(Parser)
		for range 2 {
			r.Reset()
			alone, err := parser.Body(r, []byte(text), 3)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				break
			}
			got := scores(t, p, r)
			if alone {
				got = "alone " + got
			}
			if got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	}
}

// What is no row is an error that names the place, the value and what is needed.
func TestErrors(t *testing.T) {
	p, plain := echo(t, 2, true), echo(t, 2, false)
	for text, want := range map[string]string{
		"":                                   "byte 0: found the end, want a row",
		"7":                                  `found "7", want a row`,
		"null":                               `found "null"`,
		"[1,2":                               "found the end, want , or ]",
		"[1,2]x":                             `byte 5: found "x", want the end`,
		"[1,]":                               `[1], byte 3: found "]", want a number`,
		"[1 2]":                              `found "2]", want , or ]`,
		"[1,NaN]":                            `found "NaN]"`,
		"[01,2]":                             `[0], byte 1: found "01,2]", want a number`,
		"[1,1e999]":                          `found "1e999", want a number in the range`,
		"[1,2,3]":                            "[2], byte 5: more numbers than the model has features, 2",
		"[1]":                                "an example of 1 numbers, the model has 2",
		`["1",2]`:                            `[0], byte 1: found "\"1\",2]"`,
		"[[1,2],[3,4]]":                      `for many rows: {"rows": [...]}`,
		"{}":                                 `"a" is missing`,
		`{"a":1}`:                            `"b" is missing`,
		`{"a":1,"b":2,"c":3}`:                `"c" is none`,
		`{"a":1,"a":2}`:                      "a, byte 11: the key comes twice",
		`{"a":1,"b":null}`:                   `b, byte 11: found "null}", want a number`,
		`{"a":1,}`:                           `found "}", want a key in quotes`,
		`{"a"}`:                              `found "}", want :`,
		`{"a`:                                "a key without its end",
		"{\"a\n\":1}":                        "control character",
		"{\"\xff\":1}":                       "a key that is no text",
		`{"\q":1}`:                           "a key that is no text",
		`{"indices":[0]}`:                    "want indices and values",
		`{"indices":[0],"values":[1],"a":1}`: "want indices and values",
		`{"indices":[0],"values":[1,2]}`:     "1 indices and 2 values",
		`{"indices":[0,0],"values":[1,2]}`:   "index 0 comes twice",
		`{"indices":[2],"values":[1]}`:       "indices[0], byte 14: index 2, want an integer in 0..1",
		`{"indices":[.5],"values":[1]}`:      "want a number",
		`{"indices":[0.5],"values":[1]}`:     "index 0.5, want an integer",
		`{"indices":[-1],"values":[1]}`:      "index -1",
		`{"rows":[[1,2],[3]]}`:               "rows[1]: an example of 1 numbers",
		`{"rows":[[1,2],{"indices":[0],"values":[1,x]}]}`: `rows[1].values[1], byte 42: found "x]}]}"`,
		`{"rows":[[1,2],[1,2],[1,2],[1,2]]}`:              "rows[3], byte 27: too many rows, want 3 at most",
		`{"rows":[[1,2]],"a":1}`:                          "want } behind the rows",
		`{"rows":[[1,2]`:                                  "found the end, want , or ]",
		`{"rows":[1,2]}`:                                  `rows[0], byte 9: found "1,2]}", want a row`,
		`{"rows":[[[1]]]}`:                                `rows[0][0], byte 10: found "[1]]]}", want a number`,
		`{"rows":5}`:                                      `"a" is missing`,
		strings.Repeat("[", 1e6):                          "want a number",
		strings.Repeat(`{"rows":[`, 1e5):                  "want a number",
		`{"` + strings.Repeat("x", 1000) + `":[]}`:        "xxx..., byte",
	} {
		_, err := new(Parser).Body(p.NewRows(), []byte(text), 3)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: error %v, without %q", text, err, want)
		} else if len(err.Error()) > 300 {
			t.Errorf("%.100s: an error of %d bytes", text, len(err.Error()))
		}
	}
	if _, err := new(Parser).Body(p.NewRows(), []byte(`{"rows":[[1,2],[1,2]]}`), 1); !errors.Is(err, ErrTooMany) {
		t.Errorf("error %v", err)
	}
	if _, err := new(Parser).Body(plain.NewRows(), []byte(`{"a":1}`), 3); err == nil ||
		!strings.Contains(err.Error(), "does not know: give 2") {
		t.Errorf("error %v", err)
	}
	for _, line := range []string{`[1,2] [3,4]`, `{"a":1,"b":2}{}`, `{"indices":[],"values":[]},`} {
		r := p.NewRows()
		if err := new(Parser).Line(r, []byte(line)); err == nil || !strings.Contains(err.Error(), "want the end") ||
			r.Len() > 0 {
			t.Errorf("%s: error %v, %d rows", line, err, r.Len())
		}
	}
}

// Numbers have the bits that encoding/json reads.
func TestNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40000 {
		v := math.Float64frombits(rng.Uint64())
		if v-v != 0 {
			continue
		}
		for _, s := range []string{
			strconv.FormatFloat(v, 'g', -1, 64), strconv.FormatFloat(v, 'e', rng.IntN(20), 64),
			strconv.FormatFloat(float64(rng.IntN(2e9)-1e9)/1e4, 'f', -1, 64),
			strconv.FormatFloat(float64(float32(rng.Float64())), 'f', 9, 32),
		} {
			checkArray(t, "["+s+"]", s)
		}
	}
	for _, s := range []string{"0", "-0", "0.0", "-0e5", "1E+2", "1e-400", "9007199254740993",
		"123456789012345678901234567890", "1e22", "1e23", "0.1e-22", "5e-324",
		"00", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "1_0", "Infinity", "- 1", "1e99999999999999999999", "-1e999"} {
		checkArray(t, "["+s+"]", s)
	}
}

// checkArray compares what is read of an array of numbers with encoding/json.
func checkArray(t *testing.T, text, about string) {
	var want []any
	err := json.Unmarshal([]byte(text), &want)
	good := err == nil && len(text) > 0 && want != nil
	for _, v := range want {
		if _, ok := v.(float64); !ok {
			good = false
		}
	}
	p := &Parser{text: []byte(text), row: -1, features: math.MaxInt}
	p.space()
	var got error
	if p.next() != '[' {
		got = errors.New("no array")
	} else {
		if got = p.numbers(); got == nil {
			p.whole = true
			got = p.end()
		}
	}
	if (got == nil) != good {
		t.Fatalf("%q: error %v, encoding/json %v", about, got, err)
	}
	if !good {
		return
	}
	for k, v := range want {
		if math.Float64bits(p.values[k]) != math.Float64bits(v.(float64)) {
			t.Fatalf("%q: number %d is %v, encoding/json has %v", about, k, p.values[k], v)
		}
	}
	if len(p.values) != len(want) {
		t.Fatalf("%q: %d numbers, encoding/json has %d", about, len(p.values), len(want))
	}
}

// TestHostile: no damage of a body makes the parser panic or take memory that its bytes do not explain.
func TestHostile(t *testing.T) {
	p := echo(t, 3, true)
	for name, body := range map[string]string{
		"rows": `{"rows":[` + strings.Repeat("[1,-2.5,3e2],", 50) + `[0,1,2]]}`,
		"named and sparse": `{"rows":[` + strings.Repeat(`{"a":1,"b":2,"c":3},{"indices":[2,0],"values":[1,7]},`, 30) +
			`[0,1,2]]}`,
	} {
		damage.Reader{Name: name, File: []byte(body), N: 400, Limit: damage.Limit{Base: 1 << 14, PerByte: 64},
			Read: func(t testing.TB, body []byte) error {
				r := p.NewRows()
				_, err := new(Parser).Body(r, body, 100)
				if err == nil && (!json.Valid(body) || r.Len() > 100) {
					t.Errorf("%d rows of %q", r.Len(), body)
				}
				return err
			}}.Run(t)
	}
}

// FuzzNumbers: an array is one of numbers where it is for encoding/json, and has the same ones.
func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"[]", "[1,2.5e-3]", " [ -0 ]\n", "[1,]", "[1]]", "[null]", "[1e999]",
		"[0.1, 123456789012345678]", "[\"a\"]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkArray(t, text, text) })
}

// FuzzBody: whatever comes, there is no panic, and what is taken is JSON.
func FuzzBody(f *testing.F) {
	for _, s := range []string{`{"rows":[[1,2],{"a":1,"b":2},{"indices":[0],"values":[1]}]}`, `[1,2]`,
		`{"\u0061":1,"b":1e5}`, "{\"\\", `{"rows":`} {
		f.Add(s)
	}
	body := `{"rows":[[1,-2.5e1],{"a":1,"b":2},{"indices":[1,0],"values":[1,7]}]}`
	for _, body := range damage.Seeds([]byte(body), damage.Text, 20) {
		f.Add(string(body))
	}
	p := echo(f, 2, true)
	f.Fuzz(func(t *testing.T, text string) {
		r := p.NewRows()
		if _, err := new(Parser).Body(r, []byte(text), 100); err != nil {
			return
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("%q is no JSON", text)
		}
		if _, err := p.PredictBatch(nil, r, 1); err != nil {
			t.Error(err)
		}
	})
}

// What is allocated does not grow with the rows of numbers.
func TestAllocations(t *testing.T) {
	p := echo(t, 3, false)
	allocs := func(rows int) float64 {
		body := []byte(`{"rows":[` + strings.TrimSuffix(strings.Repeat("[1,2.5,-3e2],", rows), ",") + `]}`)
		r, parser := p.NewRows(), new(Parser)
		return prove.Allocs(100, func() {
			r.Reset()
			if _, err := parser.Body(r, body, rows); err != nil {
				t.Fatal(err)
			}
		})
	}
	if one, many := allocs(1), allocs(100); many > one {
		t.Errorf("%v allocations for a row, %v for 100", one, many)
	}
}

// BenchmarkBody reads batches of 100 rows of 784 numbers, most of them 0.
func BenchmarkBody(b *testing.B) {
	const n, d = 100, 784
	for name, digits := range map[string]int{"digits=3": 3, "digits=8": 8, "digits=17": 17} {
		var text strings.Builder
		rng := rand.New(rand.NewPCG(1, 2))
		text.WriteString(`{"rows":[`)
		for i := range n {
			if i > 0 {
				text.WriteByte(',')
			}
			text.WriteByte('[')
			for j := range d {
				if j > 0 {
					text.WriteByte(',')
				}
				if rng.IntN(2) == 0 {
					text.WriteByte('0')
				} else {
					text.WriteString(strconv.FormatFloat(rng.Float64(), 'f', digits, 64))
				}
			}
			text.WriteByte(']')
		}
		text.WriteString("]}")
		p := echo(b, d, false)
		b.Run(name, func(b *testing.B) {
			r, parser, body := p.NewRows(), new(Parser), []byte(text.String())
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				r.Reset()
				if _, err := parser.Body(r, body, n); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
