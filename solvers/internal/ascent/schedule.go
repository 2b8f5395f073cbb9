package ascent

import (
	"slices"

	"github.com/dualgap/dualgap/solvers/internal/train"
)

// maxWait is the most epochs that an example waits for its next visit, a power of two.
const maxWait = train.MaxRest

// waits[k] is how many epochs an example rests after k+1 visits in a row without a move, at most maxWait. With momentum
// after a tenth of a pass these took up to 16% fewer passes than 1, 2, 8, 64, 128 on MNIST, Fashion-MNIST, TMC2007 and
// RCV1, and 1% more on Silhouettes.
var waits = [...]int{2, 6, 18, 50, 100}

// schedule says in which epoch each example has its next visit. An example that a visit leaves alone waits longer than
// before; one that moves is visited in the next epoch. An epoch costs time for the examples that are due,
// not for all.
type schedule struct {
	ex   []example
	link []int32            // the example after each in its list; apart, so that walking a list touches little memory
	list [2 * maxWait]int32 // first example due in epoch e, at e mod 2 maxWait; -1: none
	soon []int32            // before these, the last one first: due in the epoch that follows the present one
}

// newSchedule has none of the examples due.
func newSchedule(ex []example) *schedule {
	q := &schedule{ex: ex, link: make([]int32, len(ex)), soon: make([]int32, 0, len(ex))}
	q.clear()
	return q
}

func (q *schedule) clear() {
	for e := range q.list {
		q.list[e] = -1
	}
	q.soon = q.soon[:0]
}

// at makes example i, which is in no list, due in the given epoch, at most maxWait ahead.
func (q *schedule) at(i, epoch int) {
	first := &q.list[epoch%len(q.list)]
	q.link[i], *first = *first, int32(i)
	q.ex[i].next = int32(epoch)
}

// visited puts i into the list of its next visit.
func (q *schedule) visited(i, epoch int, moved bool) {
	if moved {
		q.moved(i, epoch)
	} else {
		q.rested(i, epoch)
	}
}

// moved makes i due in the next epoch.
func (q *schedule) moved(i, epoch int) {
	ex := &q.ex[i]
	ex.rests, ex.next = 0, int32(epoch+1)
	q.soon = append(q.soon, int32(i))
}

// rested lets i wait longer than last time.
func (q *schedule) rested(i, epoch int) {
	ex := &q.ex[i]
	q.at(i, epoch+waits[ex.rests])
	if int(ex.rests) < len(waits)-1 {
		ex.rests++
	}
}

// take appends the examples due in the given epoch, which is the next one, to dst and forgets them.
func (q *schedule) take(epoch int, dst []int) []int {
	for k := len(q.soon) - 1; k >= 0; k-- {
		dst = append(dst, int(q.soon[k]))
	}
	q.soon = q.soon[:0]
	first := &q.list[epoch%len(q.list)]
	for i := *first; i >= 0; i = q.link[i] {
		dst = append(dst, int(i))
	}
	*first = -1
	return dst
}

// reconsider makes the examples of which more than matters of the gap comes due in the next epoch.
func (q *schedule) reconsider(epoch int, matters float64) {
	q.clear()
	for i := range q.ex {
		switch ex := &q.ex[i]; {
		case ex.next == 0:
		case ex.gap > matters:
			ex.rests = 0
			q.at(i, epoch+1)
		default:
			q.at(i, max(int(ex.next), epoch+1))
		}
	}
}

// lists returns link and list as they are where the examples of soon stand in a list, too.
func (q *schedule) lists(epoch int) (link, list []int32) {
	link, list = slices.Clone(q.link), slices.Clone(q.list[:])
	first := &list[(epoch+1)%len(list)]
	for _, i := range q.soon {
		link[i], *first = *first, i
	}
	return link, list
}
