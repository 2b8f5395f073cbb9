// Package memory holds the program to a limit of memory: what would take more is an error before, or while, it does.
package memory

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// most is the part of the available memory that is the limit where no flag says one. The rest is for the garbage that
// is not collected yet, for stacks and buffers, and for the other programs of the machine.
const most = 0.9

// Elsewhere is the limit on systems that do not tell how much memory they have.
const Elsewhere Size = 16e9

var (
	limit     Size // 0: not asked for
	available = sync.OnceValue(func() Size {
		size, ok := system()
		size = Size(most * float64(size))
		if !ok {
			size = Elsewhere
		}
		return min(size, Size(debug.SetMemoryLimit(-1))) // of GOMEMLIMIT
	})
)

// Use sets the limit, 0 for most of what the machine has available.
func Use(size Size) { limit = size }

// Limit returns the limit, and what it is.
func Limit() (size Size, what string) {
	if limit > 0 {
		return limit, "--memory " + limit.String()
	}
	return available(), fmt.Sprintf("%v, most of what there is, which --memory SIZE can change", available())
}

// Taken returns how many bytes of the heap are in use. It collects garbage where with it they are more than atMost.
func Taken(atMost Size) Size {
	if taken := heap(); taken <= atMost {
		return taken
	}
	runtime.GC()
	return heap()
}

func heap() Size {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return Size(min(sample[0].Value.Uint64(), math.MaxInt64))
}

// Need returns an error if bytes are more than the limit leaves. what says what takes them.
func Need(what string, bytes float64) error {
	limit, of := Limit()
	taken := Taken(limit - Size(min(bytes, float64(limit))))
	if bytes+float64(taken) <= float64(limit) {
		return nil
	}
	return fmt.Errorf("%s %v of memory, and %v are in use, which is more than %s", what,
		Size(min(bytes, math.MaxInt64/2)), taken, of)
}
