package answer

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

var (
	soft = map[string]string{"solver": "tracenorm"}
	sets = map[string]string{predictor.NoteTask: predictor.Sets}

	within = map[string]string{predictor.NoteTask: predictor.Queries, "ranks": "within queries",
		predictor.NotePositive: "3,4"}
)

// ranker is the notes of a ranker with the threshold 1.
func ranker(positive, negative string) map[string]string {
	notes := map[string]string{"threshold": "1", predictor.NotePositive: positive}
	if negative != "" {
		notes[predictor.NoteNegative] = negative
	}
	return notes
}

// sure are notes with a calibration, and chosen with thresholds.
func sure(calibration string, notes map[string]string) map[string]string {
	return with(notes, solvers.CalibrationNote, calibration)
}

func chosen(thresholds string, notes map[string]string) map[string]string {
	return with(notes, predictor.NoteThresholds, thresholds)
}

func with(notes map[string]string, key, note string) map[string]string {
	all := map[string]string{key: note}
	maps.Copy(all, notes)
	return all
}

// open returns a model whose scores are the features, and its answer to x.
func open(t *testing.T, notes map[string]string, names []string, x ...float64) (*predictor.Predictor,
	predictor.Prediction) {
	t.Helper()
	w := vec.NewMatrix[float32](len(x), len(x))
	for j := range x {
		w.Row(j)[j] = 1
	}
	m, err := linear.New(w, nil, names)
	if err != nil {
		t.Fatal(err)
	}
	p, err := predictor.New(&model.Model[float32]{Linear: m.WithNotes(notes)})
	if err != nil {
		t.Fatal(err)
	}
	q, err := p.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return p, q
}

func TestLines(t *testing.T) {
	plain, odd := []string{"a", "b"}, []string{"a b", `c,"d`}
	for _, c := range []struct {
		notes       map[string]string
		names       []string
		x           []float64
		o           Options
		header, csv string
		text, json  string
	}{
		{nil, plain, []float64{1, .1}, Options{}, "label", "a", "a", `{"label":"a","labels":["a"]}`},
		{nil, plain, []float64{1, .1}, Options{Scores: true}, "label,score_a,score_b", "a,1,0.1", "a 1 0.1",
			`{"label":"a","labels":["a"],"scores":{"a":1,"b":0.1}}`},
		{nil, plain, []float64{1, 2}, Options{K: 2}, "label_1,label_2", "b,a", "b a",
			`{"label":"b","labels":["b","a"]}`},
		{nil, plain, []float64{1, 2}, Options{K: 1, Scores: true}, "label_1,score_1", "b,2", "",
			`{"label":"b","labels":["b"],"scores":{"b":2}}`},
		{soft, plain, []float64{1, 1}, Options{K: 1, Probabilities: true, Scores: true},
			"label_1,score_1,probability_1", "a,1,0.5", "",
			`{"label":"a","labels":["a"],"scores":{"a":1},"probabilities":{"a":0.5}}`},
		{soft, plain, []float64{1, 1}, Options{Probabilities: true}, "label,probability_a,probability_b", "a,0.5,0.5",
			"a 0.5 0.5",
			`{"label":"a","labels":["a"],"probabilities":{"a":0.5,"b":0.5}}`},
		{nil, odd, []float64{1, 2}, Options{}, "label", `"c,""d"`, `c,"d`, `{"label":"c,\"d","labels":["c,\"d"]}`},
		{nil, odd, []float64{1, 2}, Options{K: 2}, "label_1,label_2", `"c,""d",a b`, `c,"d "a b"`,
			`{"label":"c,\"d","labels":["c,\"d","a b"]}`},
		{nil, odd, []float64{1, 2}, Options{Scores: true}, `label,score_a b,"score_c,""d"`, `"c,""d",1,2`, `c,"d 1 2`,
			`{"label":"c,\"d","labels":["c,\"d"],"scores":{"a b":1,"c,\"d":2}}`},
		{sets, odd, []float64{1, 2}, Options{}, "labels", `"[""a b"",""c,\""d""]"`, `a b,"c,\"d"`,
			`{"label":null,"labels":["a b","c,\"d"]}`},
		{sets, odd, []float64{1, 0}, Options{Scores: true}, `labels,score_a b,"score_c,""d"`, "a b,1,0", `"a b" 1 0`,
			`{"label":null,"labels":["a b"],"scores":{"a b":1,"c,\"d":0}}`},
		{sets, plain, []float64{1, 1}, Options{}, "labels", `"a,b"`, "a,b", `{"label":null,"labels":["a","b"]}`},
		{sets, plain, []float64{0, 0}, Options{}, "labels", `""`, "", `{"label":null,"labels":[]}`},
		{sets, plain, []float64{0, 1}, Options{K: 1}, "label_1", "b", "b", `{"label":null,"labels":["b"]}`},
		{nil, []string{"", "\"x"}, []float64{1, 0}, Options{}, "label", `""`, `""`, `{"label":"","labels":[""]}`},
		{nil, []string{"", "\"x"}, []float64{0, 1}, Options{}, "label", `"""x"`, `"\"x"`,
			`{"label":"\"x","labels":["\"x"]}`},
		{nil, []string{"a\nb", "<&>"}, []float64{1, 0}, Options{}, "label", "\"a\nb\"", `"a\nb"`,
			`{"label":"a\nb","labels":["a\nb"]}`},
		{nil, []string{"a\nb", "<&>"}, []float64{0, 1e7}, Options{Scores: true}, "label,\"score_a\nb\",score_<&>",
			"<&>,0,1e+07", "<&> 0 1e+07",
			`{"label":"<&>","labels":["<&>"],"scores":{"a\nb":0,"<&>":1e+07}}`},
		{ranker("spam", "ham"), nil, []float64{1}, Options{}, "label,positive,score", "spam,true,1", "spam 1",
			`{"label":"spam","labels":["spam"],"positive":true,"score":1}`},
		{ranker("3,8", ""), nil, []float64{1}, Options{Scores: true}, "label,positive,score", `"3,8",true,1`, "3,8 1",
			`{"label":null,"labels":["3","8"],"positive":true,"score":1}`},
		{ranker("3,8", ""), nil, []float64{.5}, Options{}, "label,positive,score", `"!3,8",false,0.5`, "!3,8 0.5",
			`{"label":null,"labels":[],"positive":false,"score":0.5}`},
		{ranker(`["not spam","a,b"]`, "c d"), nil, []float64{2}, Options{}, "label,positive,score",
			`"[""not spam"",""a,b""]",true,2`, `"not spam","a,b" 2`,
			`{"label":null,"labels":["not spam","a,b"],"positive":true,"score":2}`},
		{ranker(`["not spam","a,b"]`, "c d"), nil, []float64{0}, Options{}, "label,positive,score", "c d,false,0",
			`"c d" 0`,
			`{"label":"c d","labels":["c d"],"positive":false,"score":0}`},
		{sure("sigmoid slope 1", ranker("spam", "ham")), nil, []float64{0}, Options{Probabilities: true},
			"label,positive,score,probability", "ham,false,0,0.5", "ham 0 0.5",
			`{"label":"ham","labels":["ham"],"positive":false,"score":0,"probability":0.5}`},
		{sure("sigmoid slope 1", ranker("3,8", "")), nil, []float64{0}, Options{}, "label,positive,score",
			`"!3,8",false,0`, "!3,8 0", `{"label":null,"labels":[],"positive":false,"score":0}`},
		{sure("softmax slope 0", nil), plain, []float64{1, 2}, Options{Probabilities: true},
			"label,probability_a,probability_b", "b,0.5,0.5", "b 0.5 0.5",
			`{"label":"b","labels":["b"],"probabilities":{"a":0.5,"b":0.5}}`},
		{sure("sigmoid slope 0", chosen("2 -1", sets)), plain, []float64{1, -1}, Options{Probabilities: true},
			"labels,probability_a,probability_b", "b,0.5,0.5", "b 0.5 0.5",
			`{"label":null,"labels":["b"],"probabilities":{"a":0.5,"b":0.5}}`},
		{chosen("1.5", nil), plain, []float64{1, 2}, Options{}, "label", "a", "a", `{"label":"a","labels":["a"]}`},
		{chosen("1", nil), plain, []float64{1, 2}, Options{K: 1}, "label_1", "b", "b", `{"label":"b","labels":["b"]}`},
		{chosen("1.5", nil), plain, []float64{1, 2}, Options{K: 2}, "label_1,label_2", "a,b", "a b",
			`{"label":"a","labels":["a","b"]}`},
		{within, nil, []float64{1.5}, Options{Scores: true}, "label,score", ",1.5", "1.5",
			`{"label":null,"labels":[],"score":1.5}`},
	} {
		p, q := open(t, c.notes, c.names, c.x...)
		about := fmt.Sprintf("%v %q %v %+v", c.notes, c.names, c.x, c.o)
		line, err := JSON(p, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(line([]byte("x"), &q)); got != "x"+c.json || !json.Valid([]byte(got[1:])) {
			t.Errorf("%s: JSON %s, want %s", about, got, c.json)
		}
		header, line, err := CSV(p, c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := string(line([]byte("x"), &q))
		if header != c.header || got != "x"+c.csv {
			t.Errorf("%s: CSV %s\n%s, want %s\n%s", about, header, got, c.header, c.csv)
		}
		if all, err := csv.NewReader(strings.NewReader(header + "\n" + got[1:] + "\n")).ReadAll(); err != nil ||
			len(all) != 2 || len(all[0]) != len(all[1]) {
			t.Errorf("%s: read as %q, %v", about, all, err)
		}
		if c.o.K > 0 && (c.o.Scores || c.o.Probabilities) {
			continue
		}
		header, line, err = Text(p, c.o)
		if got := string(line([]byte("x"), &q)); err != nil || got != "x"+c.text ||
			(header != "") != (c.o.Probabilities || p.Task() != predictor.Top && (c.o.Scores || c.o.Probabilities)) {
			t.Errorf("%s: text %q %s, want %s", about, header, got, c.text)
		}
	}
}

// What a model has not is an error of all formats.
func TestErrors(t *testing.T) {
	classes, _ := open(t, nil, []string{"a", "b"}, 1, 2)
	top, _ := open(t, ranker("x", ""), nil, 1)
	for _, p := range []*predictor.Predictor{classes, top} {
		for _, o := range []Options{{K: 3}, {K: -1}, {Probabilities: true}} {
			_, err1 := JSON(p, o)
			_, _, err2 := CSV(p, o)
			_, _, err3 := Text(p, o)
			if err1 == nil || err2 == nil || err3 == nil {
				t.Errorf("%+v: %v, %v, %v", o, err1, err2, err3)
			}
		}
	}
	if _, err := JSON(top, Options{K: 1}); err == nil {
		t.Error("the best class of a ranker")
	}
}

// The objects are what Go's own reader finds in them.
func TestJSONReadsBack(t *testing.T) {
	names := []string{"a", "b\u2028", "\x00", "é\"\\"}
	p, q := open(t, soft, names, 1, 2, 3, 4.5)
	line, err := JSON(p, Options{Scores: true, Probabilities: true})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Label                 string
		Labels                []string
		Scores, Probabilities map[string]float64
	}
	if err := json.Unmarshal(line(nil, &q), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{}
	for c, name := range names {
		want[name] = q.Scores[c]
	}
	if got.Label != names[3] || !maps.Equal(got.Scores, want) || !reflect.DeepEqual(got.Labels, names[3:]) ||
		len(got.Probabilities) != 4 {
		t.Errorf("%+v, want scores %v", got, want)
	}
}
