package predictor

import (
	"encoding/json"
	"fmt"
	"strings"
)

// What the command notes of a model, beside the notes of the solvers (solver, settings, outcome, threshold,
// calibration) and of package dataset (scaling). A model without them is one that the library has written.
const (
	NoteTask     = "task"     // one of the tasks
	NotePositive = "positive" // names of the classes that a model right at the top ranks first, as by FormatNames
	NoteNegative = "negative" // name of the class of the others, where there is one
	NoteOffset   = "offset"   // what is added to the score of a model of the task Numbers, a decimal; default: 0
	NoteKernels  = "kernels"  // of many kernels: a line for each, its name
	NoteShares   = "shares"   // and how much each counts, as decimals that sum to 1, with blanks between them

	// Thresholds that were chosen, as by FormatThresholds: of the task Sets one for each label, which is predicted
	// where its score is at least that, in place of above 0; of the task Classes with two classes one, for the second
	// class, by its score less the score of the first.
	NoteThresholds = "thresholds"
	NoteChosen     = "thresholds by" // the constraint that they were chosen by

	// Of CSV. A model without the first takes features by their numbers.
	NoteFeatures    = "features"     // names of the features in the order of the weights, as a JSON array
	NoteLabel       = "label"        // name of the label's column in the header
	NoteLabelColumn = "label column" // its number from 1 among the label and the features, for files without a header
)

// FormatNames returns the text of a list of names in a note: the names with commas between them or, where one has a
// comma, a quote or a line break, is empty or begins with "[", a JSON array of strings.
func FormatNames(names []string) string {
	for _, name := range names {
		if name == "" || name[0] == '[' || strings.ContainsAny(name, ",\"\n\r") {
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.Encode(names) // strings have no errors
			return strings.TrimSuffix(b.String(), "\n")
		}
	}
	return strings.Join(names, ",")
}

// twoClasses returns the text of the classes 0 and 1 in svm.NoteClasses.
func twoClasses(zero, one string) string {
	text, _ := json.Marshal([]string{zero, one}) // strings have no errors
	return string(text)
}

// parseNames reads what FormatNames wrote; nil for an empty text.
func parseNames(text string) (names []string, err error) {
	switch {
	case text == "":
		return nil, nil
	case text[0] != '[':
		return strings.Split(text, ","), nil
	}
	if err := json.Unmarshal([]byte(text), &names); err != nil {
		return nil, fmt.Errorf("a list of names: %w", err)
	}
	return names, nil
}
