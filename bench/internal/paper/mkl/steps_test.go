package mkl

import (
	"context"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestSteps: steps are timed on as many examples as -examples says, and of the steps of random classes most move,
// whatever the model that is returned.
func TestSteps(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	var text strings.Builder
	err := Run(context.Background(), strings.Fields("-only steps -examples 30"), &text, io.Discard)
	if err != nil || !strings.Contains(text.String(), "stages, 30 examples") {
		t.Fatalf("%v in\n%s", err, text.String())
	}
	rows := regexp.MustCompile(`(?m)^F = .* (\d+) +(\d+)$`).FindAllStringSubmatch(text.String(), -1)
	if len(rows) != 6 {
		t.Fatalf("%d rows, want 6:\n%s", len(rows), text.String())
	}
	for _, row := range rows {
		first, _ := strconv.Atoi(row[1])
		both, _ := strconv.Atoi(row[2])
		if first < 15 || first > 30 || both < first+15 || both > 60 {
			t.Errorf("of 30 and 60 steps %d and %d have moved: %s", first, both, row[0])
		}
	}
}
