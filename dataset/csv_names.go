package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// name takes the names of the columns.
func (p *csvParser[T]) name(header []string) error {
	p.header = header
	if p.label >= 0 {
		p.about.LabelName = header[p.label]
	}
	if len(p.o.Columns) > 0 {
		p.names = slices.Clone(p.o.Columns)
		return nil
	}
	if a, b := firstTwice(header); b > 0 {
		return p.twice(header, a, b)
	}
	for j, to := range p.place {
		if to >= 0 {
			p.names = append(p.names, header[j])
		}
	}
	return nil
}

func (p *csvParser[T]) twice(header []string, a, b int) error {
	return p.expected(b, fmt.Sprintf("%q as the name of column %d", header[b], b+1),
		fmt.Sprintf("another one than of column %d", a+1))
}

// named reports whether a record names the features of the option Columns: all of them, or one that no example has,
// since it is no number.
func (p *csvParser[T]) named(header []string) bool {
	columns := make(map[string]bool, len(header))
	for _, name := range header {
		columns[name] = true
	}
	all := len(p.o.Columns) > 0
	for _, name := range p.o.Columns {
		_, ok := parseNumber[float64](name)
		if columns[name] && ok == notNumber && name != "" {
			return true
		}
		all = all && columns[name]
	}
	return all
}

// match finds the features of the option Columns in a header.
func (p *csvParser[T]) match(header []string) error {
	wanted := make(map[string]int, len(p.o.Columns))
	for i, name := range p.o.Columns {
		wanted[cleanName(name)] = i
	}
	if p.label >= 0 && p.o.Label == 0 && p.o.LabelName == "" {
		if _, feature := wanted[header[p.label]]; feature {
			p.label = -1 // the last column is none
		}
	}
	p.cols = len(p.o.Columns)
	of := make([]int, p.cols) // of each feature: its column, from 1
	for j, name := range header {
		i, feature := wanted[name]
		switch {
		case j == p.label:
			p.place[j] = isLabel
			if a := find(header, name); a < j {
				return p.twice(header, a, j)
			} else if b := find(header[j+1:], name); b >= 0 && p.o.LabelName != "" {
				return p.twice(header, j, j+1+b)
			}
		case p.beside(j):
			p.place[j] = isBeside
		case !feature:
			p.place[j] = leftOut
			p.about.Extra = append(p.about.Extra, name)
		case of[i] > 0:
			return p.twice(header, of[i]-1, j)
		default:
			p.place[j], of[i] = i, j+1
			if p.label < 0 || j < p.label {
				p.about.Label++
			}
		}
	}
	p.about.Label++
	if p.label < 0 {
		p.about.Label = 0
	}
	var missing []string
	for i, name := range p.o.Columns {
		if of[i] == 0 {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	what := "no column "
	if len(missing) > 1 {
		what = "no columns "
	}
	want := fmt.Sprintf("one for each of %d features", p.cols)
	if near := nearest(missing[0], p.about.Extra); near != "" {
		want += fmt.Sprintf(" (is %q the column %q?)", missing[0], near)
	}
	return p.expected(0, what+some(missing)+" among "+some(header), want)
}

// some lists names for a message.
func some(names []string) string {
	const most = 10
	var b strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(name))
	}
	return b.String()
}

// nearest returns the one of the names that is most like name: the fewest letters differ, less than half of them. ""
// where there is none. Capitals, blanks and the like make no difference.
func nearest(name string, names []string) string {
	letters := plain(name)
	best, least := "", len(letters)
	for _, other := range names {
		if n := 2 * distance(letters, plain(other)); n < least {
			best, least = other, n
		}
	}
	return best
}

var plainer = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "")

// plain returns the letters by which names are compared, the first of a long one.
func plain(name string) []rune {
	letters := []rune(plainer.Replace(strings.ToLower(name)))
	return letters[:min(len(letters), 64)]
}

// distance is how many letters have to be put in, left out or replaced to make b of a (Levenshtein, 1966).
func distance(a, b []rune) int {
	row := make([]int, len(b)+1) // from the first letters of a to the first letters of b
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		corner := row[0]
		row[0] = i + 1
		for j, y := range b {
			replaced := corner
			if x != y {
				replaced++
			}
			corner = row[j+1]
			row[j+1] = min(replaced, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
