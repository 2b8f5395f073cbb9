package linear

import (
	"fmt"
	"slices"
)

// SolverType is what LIBLINEAR's text says has trained a model. liblinear-predict makes the same of all that tell
// classes apart, but that it gives probabilities, by -b 1, for the logistic ones alone, and that the text of two
// classes has one column of weights, the scores of the first label, unless the solver is MCSVMCS.
type SolverType int

const (
	MCSVMCS          SolverType = iota // MCSVM_CS: the multiclass hinge of Crammer and Singer
	L2RL1LossSVCDual                   // L2R_L1LOSS_SVC_DUAL: one against all by the hinge
	L2RL2LossSVCDual                   // L2R_L2LOSS_SVC_DUAL: one against all by the squared hinge

	// Of regression.
	L2RL2LossSVR     // L2R_L2LOSS_SVR: the squared epsilon-insensitive loss
	L2RL2LossSVRDual // L2R_L2LOSS_SVR_DUAL: the same
	L2RL1LossSVRDual // L2R_L1LOSS_SVR_DUAL: the epsilon-insensitive loss

	// One against all, too.
	L2RL2LossSVC // L2R_L2LOSS_SVC: the squared hinge
	L2RLR        // L2R_LR: the logistic loss
	L2RLRDual    // L2R_LR_DUAL: the same
	L1RL2LossSVC // L1R_L2LOSS_SVC: L1 regularization and the squared hinge
	L1RLR        // L1R_LR: L1 regularization and the logistic loss

	OneClassSVM // ONECLASS_SVM: what is inside and what is not
)

// NoteSolver is the note of a model that was read from LIBLINEAR's text with the name of its solver.
const NoteSolver = "liblinear.solver_type"

// names of the solvers.
var solverNames = [...]string{"MCSVM_CS", "L2R_L1LOSS_SVC_DUAL", "L2R_L2LOSS_SVC_DUAL", "L2R_L2LOSS_SVR",
	"L2R_L2LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL", "L2R_L2LOSS_SVC", "L2R_LR", "L2R_LR_DUAL", "L1R_L2LOSS_SVC", "L1R_LR",
	"ONECLASS_SVM"}

// String returns LIBLINEAR's name.
func (s SolverType) String() string {
	if s < 0 || int(s) >= len(solverNames) {
		return fmt.Sprintf("SolverType(%d)", int(s))
	}
	return solverNames[s]
}

// ParseSolver returns the solver of LIBLINEAR's name; ok is false where there is none.
func ParseSolver(name string) (s SolverType, ok bool) {
	at := slices.Index(solverNames[:], name)
	return SolverType(max(0, at)), at >= 0
}

// Logistic reports whether the solver minimises the logistic loss: then liblinear-predict -b 1 gives probabilities, of
// two classes 1/(1 + exp(-s)) by the one score s, of several the same of each score, over their sum.
func (s SolverType) Logistic() bool { return s == L2RLR || s == L2RLRDual || s == L1RLR }

// task is what a solver's models tell.
type task string

const (
	classification task = "classification"
	regression     task = "regression"
	oneClass       task = "one class"
)

func (s SolverType) task() task {
	switch s {
	case L2RL2LossSVR, L2RL2LossSVRDual, L2RL1LossSVRDual:
		return regression
	case OneClassSVM:
		return oneClass
	}
	return classification
}

// check returns an error unless s is a solver of the task of what is to be written.
func (s SolverType) check(of task, what string) error {
	if s < 0 || int(s) >= len(solverNames) {
		return fmt.Errorf("linear: unknown %v", s)
	}
	if s.task() != of {
		return fmt.Errorf("linear: %s as %v, which is of %s, want one of %s", what, s, s.task(), of)
	}
	return nil
}
