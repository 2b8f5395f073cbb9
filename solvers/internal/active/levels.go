package active

// Policy is how a training goes through levels. Gaps are relative.
type Policy struct {
	From  int     // the least number of examples for which levels pay
	First int     // about how many examples the first level has, from half to twice as many
	Loose float64 // the gap at which a level before the last one ends: its model chooses examples, no more
	Look  float64 // the gap of the active examples, in tolerances, at which the last level looks at the others
}

// The policies of pair steps for rankers, of ascent on a kernel and of machines on many kernels.
var (
	Pairs  = Policy{From: 4096, First: 2000, Loose: 1e-2, Look: 0.7}
	Ascent = Policy{From: 4096, First: 1000, Loose: 3e-2, Look: 0.6}
	Many   = Policy{From: 4096, First: 1000, Loose: 3e-2, Look: 0.6}
)

// Levels are a Set, and the goal of its level.
type Levels struct {
	*Set
	Policy
	Goal float64 // the gap of the active examples that ends the level; at the last one a look at the others follows
}

// NewLevels returns the levels of the given examples of n, in random order, at the first one: see New. Where they do
// not pay there is one level. tol is the relative gap that the training is to reach, as in Enter and Widen.
func NewLevels(p Policy, tol float64, n int, all []int, pays bool) *Levels {
	first := len(all)
	if pays {
		first = p.First
	}
	l := &Levels{Set: New(n, all, first), Policy: p}
	l.Enter(tol)
	return l
}

// Enter sets the goal of the level.
func (l *Levels) Enter(tol float64) {
	l.Goal = max(tol, l.Loose)
	if l.Last() {
		l.Goal = l.Look * tol
	}
}

// Trainee is a training on the active examples.
type Trainee interface {
	// Support returns the active examples whose dual variables are not all 0.
	Support() []int

	// Look computes the scores of examples that are not active, and returns the ones to take in: of examples that are
	// fresh in the level, or of all others.
	Look(rows []int, fresh bool) (wanted []int, err error)

	// Gap returns the relative gap of all examples, after a look at all others.
	Gap() float64

	// Activate makes these examples the active ones, and no others.
	Activate(rows []int) error
}

// Widen follows active examples that have come to the goal.
//
//	level           next
//	before the last the support vectors, and what Look returns of the examples that are fresh in the next level
//	the last        what Look returns of all others, as long as the gap of all is not small enough for a
//	                certificate
func (l *Levels) Widen(t Trainee, tol float64) error {
	if !l.Last() {
		fresh := l.Advance()
		l.Enter(tol)
		wanted, err := t.Look(fresh, true)
		if err != nil {
			return err
		}
		return t.Activate(append(t.Support(), wanted...))
	}
	wanted, err := t.Look(l.Others(), false)
	if err != nil || !(t.Gap() > 0.9*tol) {
		return err
	}
	return l.Take(t, wanted)
}

// Take makes more examples active, or asks for more of those that are.
func (l *Levels) Take(t Trainee, wanted []int) error {
	if len(wanted) == 0 {
		l.Goal /= 2
		return nil
	}
	return t.Activate(append(l.at[:len(l.at):len(l.at)], wanted...))
}
