package dataset

import (
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestCSVColumns: features are matched by name, in any order, and the label wherever it is.
func TestCSVColumns(t *testing.T) {
	uv := CSVOptions{Columns: []string{"u", "v"}, LabelName: "y", Label: 3, LabelOptional: true}
	numbers := CSVOptions{Columns: []string{"0", "1"}, LabelName: "2", Label: 3, LabelOptional: true}
	odd := CSVOptions{Columns: []string{"a b", "größe, cm", "\u65e5\u672c", "\ufffd"}, NoLabel: true}
	for _, c := range []struct {
		text string
		o    CSVOptions
		want string
	}{
		{"u,v,y\n5,3,0\n", uv, `["u" "v"] [5 3] [0]; 3 y`},
		{"v,y,u\n3,0,5\n4,1,6\n", uv, `["u" "v"] [5 3 6 4] [0 1]; 2 y`},
		{"v,u\n3,5\n", uv, `["u" "v"] [5 3] [];`},
		{",v,id,u,when\n0,3,a1,5,now\n", uv, `["u" "v"] [5 3] []; without ["" "id" "when"]`},
		{"x,x,u,y,v\n,,5,b,3\n", uv, `["u" "v"] [5 3] [b]; 2 y without ["x" "x"]`},
		{"u,2020,v\n5,1,3\n", uv, `["u" "v"] [5 3] []; without ["2020"]`},
		{"5,3,0\n", uv, `[] [5 3] [0]; 3`},
		{"5,3\n", uv, `[] [5 3] [];`},
		{"2,1,0\n7,3,5\n", numbers, `["0" "1"] [5 3] [7]; 1 2`},
		{"1,0\n3,5\n", numbers, `["0" "1"] [5 3] [];`},
		{"5,3,7\n2,1,0\n", numbers, `[] [5 3 2 1] [0 7]; 3`},
		{"1,0\n3,5\n", CSVOptions{Columns: []string{"0", "1"}, Header: HeaderAbsent, NoLabel: true},
			`[] [1 0 3 5] [];`},
		{"\ufeff\"größe, cm\",x, a b ,\"\u65e5\u672c\",\xe9\n2,?,1,3,4\n", odd, `["a b" "größe, cm" "日本" "` + "\ufffd" +
			`"] [1 2 3 4] []; without ["x"]`},
		{"v,u,class\n3,5,a\n", CSVOptions{Columns: []string{"u", "v"}}, `["u" "v"] [5 3] [a]; 3 class`},
		{"v,class,u\n3,a,5\n", CSVOptions{Columns: []string{"u", "v"}}, `["u" "v"] [5 3] []; without ["class"]`},
		{"v,class,u\n3,a,5\n", CSVOptions{Columns: []string{"u", "v"}, Label: 2}, `["u" "v"] [5 3] [a]; 2 class`},
	} {
		d, err := ReadCSV[float64](strings.NewReader(c.text), "f", c.o)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := about(d); got != c.want || d.X.Validate() != nil {
			t.Errorf("%q:\n%s, want\n%s", c.text, got, c.want)
		}
	}

	wine := CSVOptions{Columns: []string{"fixed acidity", "pH", "alcohol"}, LabelName: "quality"}
	optional := wine
	optional.LabelOptional = true
	for _, c := range []struct {
		text  string
		o     CSVOptions
		place string
		parts []string
	}{
		{"pH,Fixed_Acidity,alcohol,quality\n1,2,3,4\n", wine, "f:1:1",
			[]string{`no column "fixed acidity" among "pH", "Fixed_Acidity"`, "3 features",
				`is "fixed acidity" the column "Fixed_Acidity"?`}},
		{"a,b,c,quality\n1,2,3,4\n", wine, "f:1:1", []string{`no columns "fixed acidity", "pH", "alcohol" among "a"`}},
		{"a,b,c\n1,2,3\n", wine, "f:1:1", []string{`"a,b,c"`, `a header with the column "quality"`}},
		{"1,2,3,4\n", wine, "f:1:1", []string{`"1,2,3,4"`, `a header with the column "quality"`}},
		{"pH,alcohol\n1,2\n", optional, "f:1:1", []string{`no column "fixed acidity"`}},
		{"2020,pH\n1,2\n", optional, "f:1:1", []string{`no columns "fixed acidity", "alcohol"`}},
		{"1,2\n", optional, "f:1:3", []string{"2 columns", "4, for 3 features"}},
		{"1,2,3,4,5\n", optional, "f:1:9", []string{"5 columns", "4, for 3 features"}},
		{"pH,alcohol,fixed acidity,pH\n1,2,3,4\n", optional, "f:1:26", []string{`"pH" as the name of column 4`,
			"column 1"}},
		{"quality,pH,alcohol,fixed acidity,quality\n1,2,3,4,5\n", optional, "f:1:34",
			[]string{`"quality" as the name of column 5`, "column 1"}},
		{"pH,alcohol,fixed acidity,quality\n1,x,3,4\n", wine, "f:2:3",
			[]string{`"x"`, `a number in column 2, "alcohol"`}},
		{"pH,alcohol\n1,2\n", CSVOptions{Columns: wine.Columns, Label: 1}, "f:1:1", []string{`"fixed acidity", "pH"`}},
		{"a,b,a\n1,2,3\n", CSVOptions{}, "f:1:5", []string{`"a" as the name of column 3`, "column 1"}},
		{"a,,\n1,2,3\n", CSVOptions{}, "f:1:4", []string{`"" as the name of column 3`}},
	} {
		_, err := ReadCSV[float64](strings.NewReader(c.text), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	_, err := ReadCSV[float64](strings.NewReader("1,2"), "f", CSVOptions{Columns: []string{"a", "b"}, Cols: 3})
	checkMessage(t, err, []string{"Cols is 3", "2 names"})
	_, err = ReadCSV[float64](strings.NewReader("1,2"), "f", CSVOptions{Columns: []string{"a", "b", "a"}})
	checkMessage(t, err, []string{"names 0 and 2", `"a"`})
}

// TestCSVLabelName: the label's name is written again, and another one where a feature is called so.
func TestCSVLabelName(t *testing.T) {
	for text, want := range map[string]string{
		"u,v,kind\n1,2,a\n":            "u,v,kind\n1,2,a\n",
		"label,v,\n1,2,a\n":            "label,v,label_\n1,2,a\n",
		"0,1,y\n1,2,0\n":               "0,1,y\n1,2,0\n",
		"x,0,y\n1,2,0\n":               "",
		"\"a,b\",y\n1,\"\"\"q\"\"\"\n": "\"a,b\",y\n1,\"\"\"q\"\"\"\n",
	} {
		d, err := ReadCSV[float64](strings.NewReader(text), "f", CSVOptions{})
		if want == "" {
			checkPlace(t, err, "f:1:1", `"x"`)
			continue
		}
		var b strings.Builder
		if err == nil {
			err = WriteCSV(&b, d)
		}
		if err != nil || b.String() != want {
			t.Errorf("%q: wrote %q, %v", text, b.String(), err)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ name, among, want string }{
		{"alcohol", "ph,Alcohol,sugar", "Alcohol"},
		{"alcohol", "alcohl,alcohols_2", "alcohl"},
		{"citric acid", "citric_acid", "citric_acid"},
		{"ph", "sulphates,density", ""},
		{"größe", "grösse,breite", "grösse"},
		{"", "a", ""},
		{"abcd", "abxy", ""}, // half of the letters
		{"abcd", "abcx", "abcx"},
	} {
		if got := nearest(c.name, strings.Split(c.among, ",")); got != c.want {
			t.Errorf("%q among %s: %q, want %q", c.name, c.among, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "ab", 2}, {"abcd", "acd", 1}, {"acd", "abcd", 1}, {"kitten", "sitting", 3},
		{"ab", "ba", 2}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestCSVAllocations: the numbers of a record cost no memory but their own.
func TestCSVAllocations(t *testing.T) {
	text := func(rows int) string {
		return "b,id,a,y\n" + strings.Repeat("1.5,7,2.5,8\n", rows)
	}
	allocs := func(rows int) float64 {
		s := text(rows)
		o := CSVOptions{Columns: []string{"a", "b"}, LabelName: "y"}
		return prove.Allocs(5, func() {
			if d, err := ReadCSV[float64](strings.NewReader(s), "f", o); err != nil ||
				!slices.Equal(d.FeatureNames, o.Columns) {
				t.Fatal(d, err)
			}
		})
	}
	// encoding/csv takes a string a record; slices that double take a few more.
	if more := allocs(2000) - allocs(1000); more > 1000+20 {
		t.Errorf("%v allocations for 1000 records", more)
	}
}
