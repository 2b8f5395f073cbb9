package beam

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
)

// Block is what [Score] and [Encode] make of an element.
type Block struct {
	First int64  // number of its first row
	Count int    // number of rows
	Job   string // digest of all that the answers depend on: model, options, range
	Data  []byte // answers, row by row
}

// blockName returns the name of the file of a block.
func blockName(first int64, count int) string { return fmt.Sprintf("rows-%012d-%d", first, count) }

// computed counts the blocks that this process has computed.
var computed atomic.Int64

// jobOf returns the digest of a job: its kind, its asset, and what else its answers depend on.
func jobOf(kind string, a Asset, options ...any) string {
	b, err := json.Marshal(append([]any{kind, a.SHA256}, options...))
	if err != nil {
		panic(err) // numbers and texts
	}
	return digest(b)
}

// blockJob returns the digest of a job and one of its elements.
func blockJob(job string, e Rows) string {
	b, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return digest(append([]byte(job), b...))
}
