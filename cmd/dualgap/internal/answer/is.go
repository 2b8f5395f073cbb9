package answer

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// Is returns what reports whether a file that begins so holds predictions as Text, CSV or JSON writes them for a model:
// by the line before the first, the keys of the first object, or else by all lines, which are answers of the model. No
// line of examples is one: index:value is no name of a class, and there is no number behind a name but of a ranker,
// whose lines have one. A list of labels cannot be told from predictions.
func Is(p *predictor.Predictor) func(head []byte) bool {
	header := "labels " + strings.Join(inLine(p.Classes(), " "), " ")
	if p.Task() == predictor.Queries {
		header = queriesHeader
	} else if p.Task() == predictor.Top {
		header = sureHeader
	}
	answer := isText(p)
	return func(head []byte) bool {
		end := bytes.LastIndexByte(head, '\n') // what follows may go on behind the head
		text := string(head[:end+1])
		first, _, ok := strings.Cut(text, "\n")
		if !ok {
			return false
		}
		if first == header || isHeader(first) || strings.HasPrefix(first, `{"label":`) &&
			strings.Contains(first, `,"labels":[`) {
			return true
		}
		for line := range strings.Lines(text) {
			if !answer(strings.TrimSuffix(line, "\n")) {
				return false
			}
		}
		return true
	}
}

// isHeader reports whether a line is the first one of CSV.
func isHeader(line string) bool {
	columns, err := csv.NewReader(strings.NewReader(line)).Read()
	if err != nil || !slices.Contains([]string{"label", "labels", "label_1"}, columns[0]) {
		return false
	}
	return !slices.ContainsFunc(columns[1:], func(c string) bool {
		own := c == "positive" || c == "score" || c == "probability"
		for _, prefix := range []string{"label_", "score_", "probability_"} {
			own = own || strings.HasPrefix(c, prefix)
		}
		return !own
	})
}

// isText returns what reports whether a line is an answer of the model, without numbers of all classes.
func isText(p *predictor.Predictor) func(line string) bool {
	names := slices.Sorted(slices.Values(append(inLine(p.Classes(), ""), inLine(p.Classes(), " ,")...)))
	names = slices.Compact(names)
	switch p.Task() {
	case predictor.Top:
		positive, negative := Sides(p)
		return func(line string) bool {
			at := strings.LastIndexByte(line, ' ')
			_, err := strconv.ParseFloat(line[at+1:], 64)
			return err == nil && at >= 0 && (line[:at] == positive || line[:at] == negative)
		}
	case predictor.Queries:
		return func(string) bool { return false } // numbers may be anything: the header alone tells
	case predictor.Numbers:
		return func(line string) bool {
			_, err := strconv.ParseFloat(line, 64)
			return err == nil
		}
	case predictor.Sets:
		return func(line string) bool { return line == "" || isList(names, ",", line) || isList(names, " ", line) }
	}
	return func(line string) bool { return isList(names, " ", line) }
}

// isList reports whether a line is one of the names, or several that differ, with apart between them.
func isList(names []string, apart, line string) bool {
	for k, name := range names {
		if line == name {
			return true
		}
		if rest, ok := strings.CutPrefix(line, name+apart); ok && isList(slices.Concat(names[:k], names[k+1:]), apart,
			rest) {
			return true
		}
	}
	return false
}
