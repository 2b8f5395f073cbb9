package topk

// maxWait is the most epochs that an example waits for its next visit, a power of two.
const maxWait = 128

// schedule says in which epoch each example has its next visit. An example that a visit leaves alone waits twice as long as
// before, up to maxWait; one that moves is visited in the next epoch. An epoch costs time for the examples that are due,
// not for all.
type schedule struct {
	list  [2 * maxWait]int32 // first example due in epoch e, at e mod 2 maxWait; -1: none
	link  []int32            // the one after each in its list
	next  []int32            // epoch of the next visit of each
	quiet []uint8            // visits in a row that left it alone, as far as the wait grows
}

// newSchedule has room for n examples and makes none due.
func newSchedule(n int) *schedule {
	q := &schedule{link: make([]int32, n), next: make([]int32, n), quiet: make([]uint8, n)}
	q.clear()
	return q
}

func (q *schedule) clear() {
	for e := range q.list {
		q.list[e] = -1
	}
}

// at makes example i, which is in no list, due in the given epoch, at most maxWait ahead.
func (q *schedule) at(i, epoch int) {
	first := &q.list[epoch%len(q.list)]
	q.link[i], *first = *first, int32(i)
	q.next[i] = int32(epoch)
}

// moved makes i due in the next epoch.
func (q *schedule) moved(i, epoch int) {
	q.quiet[i] = 0
	q.at(i, epoch+1)
}

// rested lets i wait longer than last time.
func (q *schedule) rested(i, epoch int) {
	wait := 1 << q.quiet[i]
	if wait < maxWait {
		q.quiet[i]++
	}
	q.at(i, epoch+wait)
}

// take appends the examples due in the given epoch to dst and forgets them.
func (q *schedule) take(epoch int, dst []int) []int {
	first := &q.list[epoch%len(q.list)]
	for i := *first; i >= 0; i = q.link[i] {
		dst = append(dst, int(i))
	}
	*first = -1
	return dst
}

// wake makes the examples for which matters holds due in the next epoch.
func (q *schedule) wake(epoch int, matters func(i int) bool) {
	q.clear()
	for i, next := range q.next {
		switch {
		case next == 0: // never due
		case matters(i):
			q.moved(i, epoch)
		default:
			q.at(i, max(int(next), epoch+1))
		}
	}
}
