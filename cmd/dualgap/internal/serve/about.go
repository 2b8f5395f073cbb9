package serve

import (
	"net/http"
	"time"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// about answers with what the model is.
func (s *Server) about(w http.ResponseWriter, _ *http.Request) {
	m := s.model.Load()
	features, outputs := m.p.Dims()
	notes := m.p.Notes()
	about := struct {
		Task          string    `json:"task"`
		Features      int       `json:"features"`
		FeatureNames  []string  `json:"featureNames,omitempty"`
		Outputs       int       `json:"outputs"`
		Classes       []string  `json:"classes,omitempty"`
		Positive      []string  `json:"positive,omitempty"`
		Negative      string    `json:"negative,omitempty"`
		Threshold     *float64  `json:"threshold,omitempty"`
		Bits          int       `json:"bits"`
		Probabilities bool      `json:"probabilities"`
		Solver        string    `json:"solver,omitempty"`
		Settings      string    `json:"settings,omitempty"`
		Outcome       string    `json:"outcome,omitempty"`
		Loaded        time.Time `json:"loaded"`
	}{
		Task: m.p.Task(), Features: features, FeatureNames: m.p.Features(), Outputs: outputs, Classes: m.p.Classes(),
		Bits:          m.p.Bits(),
		Probabilities: m.p.HasProbabilities(), Solver: notes["solver"], Settings: notes["settings"],
		Outcome: notes["outcome"], Loaded: m.at,
	}
	if m.p.Task() == predictor.Top {
		threshold := m.p.Threshold()
		about.Positive, about.Negative, about.Threshold = m.p.Positive(), m.p.Negative(), &threshold
	}
	object(w, http.StatusOK, about)
}
