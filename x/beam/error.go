package beam

import (
	"fmt"
	"slices"
	"strings"
)

// RunError is a pipeline that has failed in all attempts.
type RunError struct {
	Attempts []error // what the runner has said, whole: pages, with the plan of the pipeline and stacks
}

// Error returns the causes, each once.
func (e *RunError) Error() string {
	var causes []string
	for _, err := range e.Attempts {
		if c := cause(err.Error()); !slices.Contains(causes, c) {
			causes = append(causes, c)
		}
	}
	return fmt.Sprintf("%s (a pipeline failed in %d attempts)", strings.Join(causes, "; "), len(e.Attempts))
}

// Unwrap returns the errors of the attempts.
func (e *RunError) Unwrap() []error { return e.Attempts }

// cause returns what a runner's error says after the plan of the pipeline, in one line: what the step that failed has
// returned, or its panic without the stack. Of a text of another kind it returns all lines.
func cause(said string) string {
	const step, panics, whole = "] failed:\n", "panic: ", "\nFull error:"
	if before, _, ok := strings.Cut(said, whole); ok {
		if at := strings.LastIndex(before, panics); at >= 0 {
			said = before[at:]
		}
	}
	for _, mark := range []string{step, "\tcaused by:\n"} {
		if at := strings.LastIndex(said, mark); at >= 0 {
			said = said[at+len(mark):]
			break
		}
	}
	return strings.Join(strings.FieldsFunc(said, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
