package dataset

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// isHeader reports whether the first record holds names. Where its fields are numbers, the labels may tell later:
// guess.
func (p *csvParser[T]) isHeader(header []string) bool {
	switch p.o.Header {
	case HeaderPresent:
		return true
	case HeaderAbsent:
		return false
	}
	if p.o.GroupName != "" || p.o.FoldName != "" {
		return true
	}
	unnamed := isUnnamed(header[0]) && p.label != 0
	var numbers []string
	texts := 0
	for j, s := range header {
		if j == p.label || p.beside(j) || j == 0 && unnamed {
			continue
		}
		if _, ok := parseNumber[float64](s); ok != notNumber {
			numbers = append(numbers, s)
		} else {
			texts++
		}
	}
	switch {
	case len(numbers) == 0 || p.named(header):
		return true
	case unnamed && header[0] != "": // a text, which is no feature
		return true
	}
	return unnamed && texts == 0 && distinctWhole(numbers)
}

// isUnnamed reports whether this is the name of a column without one, as pandas and R write it above an index: the
// first.
func isUnnamed(name string) bool { return name == "" || name == "Unnamed: 0" }

// distinctWhole reports whether the texts are whole numbers as programs count with them, no two the same.
func distinctWhole(texts []string) bool {
	for _, s := range texts {
		if v, err := strconv.ParseUint(s, 10, 64); err != nil || strconv.FormatUint(v, 10) != s {
			return false
		}
	}
	_, b := firstTwice(texts)
	return b == 0
}

// firstTwice returns the first two places with the same text; 0, 0 where there are none.
func firstTwice(texts []string) (a, b int) {
	at := make(map[string]int, len(texts))
	for j, s := range texts {
		if i, twice := at[s]; twice {
			return i, j
		}
		at[s] = j
	}
	return 0, 0
}

// guess is what is known of a first line of numbers, which is read as an example until all labels are.
type guess struct {
	header  []string
	counts  bool // the features, or all columns, are called 0, 1, 2, ...
	ascends bool // the features, three at least, are called by whole numbers that ascend
	begun   bool // the first line has been read
	label   string
	wrong   error // the label is none of the option Classes
	dropped bool  // as is the first field of a later line, which has the same
}

// startGuess begins one where the first record may be a header of numbers.
func (p *csvParser[T]) startGuess(header []string) {
	if p.o.Header != HeaderAuto || p.label < 0 || len(p.o.Columns) > 0 {
		return
	}
	var features []string
	for j, s := range header {
		if p.place[j] < 0 {
			continue
		}
		if _, ok := parseNumber[float64](s); ok != finite {
			return
		}
		features = append(features, s)
	}
	if _, b := firstTwice(header); b > 0 {
		return // no header
	}
	p.guess = &guess{
		header: header, counts: len(features) > 1 && counting(features) || counting(header),
		ascends: len(features) > 2 && distinctWhole(features) && slices.IsSortedFunc(features, byNumber),
	}
}

// byNumber compares whole numbers.
func byNumber(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// counting reports whether the texts are 0, 1, 2, ...
func counting(texts []string) bool {
	for j, s := range texts {
		if s != strconv.Itoa(j) {
			return false
		}
	}
	return true
}

// take takes the label of an example, and reports whether this is the first line, which stays for now.
func (g *guess) take(label string, known bool, err error) bool {
	if !g.begun {
		g.begun, g.label, g.wrong = true, label, err
		return true
	}
	g.dropped = g.dropped || !known && label == g.label
	return false
}

// decide makes the first line of numbers a header or an example.
func (p *csvParser[T]) decide() error {
	g := p.guess
	p.guess = nil
	switch {
	case g == nil:
		return nil
	case g.isHeader(p.labels):
		if g.wrong == nil {
			p.labels.dropFirst()
		}
		p.group.dropFirst()
		p.fold.dropFirst()
		p.about.Guessed = true
		if err := p.name(g.header); err != nil {
			return err
		}
	case g.wrong == nil:
		return nil
	case !p.o.DropUnseen:
		return g.wrong
	default:
		p.group.dropFirst()
		p.fold.dropFirst()
		p.dropped++
	}
	p.rows--
	p.data = p.data[:copy(p.data, p.data[p.cols:])]
	return nil
}

// isHeader reports whether the label occurs in no other line, and more speaks for the name of a column: it is a text
// and all other labels are numbers; or the columns are counted; or they are called by ascending numbers, such as years,
// and no other label occurs but once.
func (g *guess) isHeader(l *textLabels) bool {
	if l.given && g.wrong == nil {
		return false // it is the name of a class
	}
	count := make([]int, len(l.classes))
	for _, k := range l.y {
		count[k]++
	}
	if g.wrong == nil {
		count[l.y[0]]--
	}
	name, kind := parseNumber[float64](g.label)
	numbers, least := true, math.MaxInt
	for k, n := range count {
		if n == 0 {
			continue
		}
		v, ok := parseNumber[float64](l.classes[k])
		if l.classes[k] == g.label || ok == finite && kind == finite && v == name {
			return false
		}
		numbers = numbers && ok == finite
		least = min(least, n)
	}
	switch text := kind != finite; {
	case g.dropped || least == math.MaxInt: // there is no other line
		return false
	case text && numbers:
		return true
	case !text && !counting(g.header):
		return false
	default:
		return g.counts || g.ascends && least > 1
	}
}
