package answer

import (
	"strings"
	"testing"
)

// TestIs: what is written for a model is taken for predictions of it in each form, and no data are.
func TestIs(t *testing.T) {
	for name, c := range map[string]struct {
		notes map[string]string
		names []string
		x     []float64
	}{
		"classes": {soft, []string{"1", "2", "3"}, []float64{1, 3, 2}}, "odd": {soft, []string{"a b", `c,"d`, ""},
			[]float64{1, 3, 2}},
		"sets": {sets, []string{"1", "2", "3"}, []float64{1, -3, 2}}, "odd sets": {sets, []string{"a b", `c,"d`, ""},
			[]float64{1, 3, 2}},
		"sure ranker": {sure("sigmoid slope 1", ranker("1", "-1")), nil, []float64{2}},
		"within":      {within, nil, []float64{2}},
		"ranker":      {ranker("1", "-1"), nil, []float64{2}}, "odd ranker": {ranker(`["a b","c"]`, ""), nil,
			[]float64{.5}},
	} {
		p, q := open(t, c.notes, c.names, c.x...)
		is := Is(p)
		for _, o := range []Options{{}, {K: 2}, {Scores: true}, {Probabilities: true}} {
			var forms [][2]string
			write := func(header string, line Line, err error) {
				if err != nil {
					return
				}
				if header != "" {
					header += "\n"
				}
				forms = append(forms, [2]string{header, string(line(nil, &q)) + "\n"})
			}
			write(Text(p, o))
			write(CSV(p, o))
			line, err := JSON(p, o)
			write("", line, err)
			for _, f := range forms {
				if head := f[0] + f[1] + f[1]; !is([]byte(head)) || !is([]byte(head+"cut of")) {
					t.Errorf("%s, %+v: %q is not taken for predictions", name, o, head)
				}
			}
		}
		for _, head := range []string{
			"1 1:2 2:3\n", "1\n1 1:2\n", "1,2,3\n4,5,6\n", "1 .5 3\n", "1 2 2\n", "a,b,label\n1,2,3\n",
			"label,x\na,1\n", "Buy milk.\n", "1", "",
			"\x89PNG\r\n\x1a\n", "{\"a\":1}\n", strings.Repeat("a ", 100) + "\n", "label 1\n",
		} {
			if is([]byte(head)) {
				t.Errorf("%s: %q is taken for predictions", name, head)
			}
		}
	}
}
