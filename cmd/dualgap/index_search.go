package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/pq"
)

// IndexSearch are the arguments and flags of "dualgap index search".
type IndexSearch struct {
	Index   string `arg:"" help:"File of the index."`
	Queries string `arg:"" help:"File with the vectors to look for, \"-\" for standard input."`
	Output  string `arg:"" optional:"" default:"-" help:"File that the answers go to; \"-\" for standard output."`

	K          int  `group:"find" name:"neighbors" short:"k" default:"10" placeholder:"K" help:"How many of the nearest."`
	Prove      bool `group:"find" help:"Find the nearest, and prove that they are: vectors are read until bounds exclude all others."`
	Budget     int  `group:"find" placeholder:"N" help:"With --prove: read N vectors at most for a query. The gap tells what is left to prove."`
	Candidates int  `group:"find" placeholder:"N" help:"Without --prove: compare N vectors, those nearest by their codes. By default 10 times -k."`
	Probes     int  `group:"find" placeholder:"N" help:"Visit N lists. By default half of the square root of their number, with --prove all that bounds do not exclude."`
	ByCodes    bool `group:"find" help:"Find by codes alone, and read no vector."`

	VectorFlags
	Workers int `group:"stop" default:"0" help:"Goroutines; 0: all cores."`

	Overwrite
	JSON  bool `group:"output" name:"json" help:"A JSON object in each line: ids, distances, and with --prove read and gap."`
	Quiet bool `group:"output" short:"q" help:"Print answers and errors only."`
}

// Help is the end of the help.
func (*IndexSearch) Help() string {
	return `One line a query: id:distance of each vector found, the nearest first. Distances are squared, or inner products or
cosines where the index was built so. With --prove a line ends with read=N, how many vectors were read, and gap=G: 0 where the answer is proved
to be the nearest, else how much nearer another vector may be than the last one found.

Examples:

  dualgap index search index.dg queries.npy
  dualgap index search --prove -k 5 index.dg queries.fvecs answers.txt
  dualgap index search --json --prove --budget 1000 index.dg queries.npy | jq .gap`
}

// Validate is called by kong.
func (s *IndexSearch) Validate(k *kong.Context) error {
	g := givenIn(k)
	switch {
	case s.K < 1:
		return usage("-k %d: want 1 at least", s.K)
	case s.Workers < 0:
		return usage("--workers %d: want 1 at least, or 0 for all cores", s.Workers)
	case s.Budget < 0 || s.Candidates < 0 || s.Probes < 0:
		return usage("--budget %d, --candidates %d, --probes %d: want numbers above 0", s.Budget, s.Candidates,
			s.Probes)
	case g["budget"] != nil && s.Budget < s.K:
		return usage("--budget %d and -k %d: want to read as many vectors as are to be found", s.Budget, s.K)
	case g["candidates"] != nil && s.Candidates < s.K:
		return usage("--candidates %d and -k %d: want as many as are to be found", s.Candidates, s.K)
	case s.Index == "-":
		return usage("an index from standard input: want the name of a file")
	}
	return first(
		g.above0("probes", "max-rows"),
		g.need(s.Prove, "--prove, which reads until all is proved", "budget"),
		g.apart(rule{"prove", "candidates", "--prove chooses itself how many it compares"},
			rule{"prove", "by-codes", "a proof reads vectors"},
			rule{"by-codes", "candidates", "candidates are vectors that are read"}),
		g.fit(s.Queries, s.Format),
	)
}

// Run searches.
func (s *IndexSearch) Run(ctx context.Context, out *output) error {
	plan := file.Plan{Force: s.Force}
	plan.Reads("the queries", data.Files(s.Queries, s.options())...)
	plan.Reads("the index", s.Index)
	to := plan.Writes("the answers", s.Output, dataKind)
	if err := plan.Check(); err != nil {
		return err
	}
	ix, err := openIndex(s.Index)
	if err != nil {
		return err
	}
	defer ix.Close()
	if err := s.can(ix); err != nil {
		return err
	}
	var told found
	write := func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		if err := s.search(ctx, ix, b, &told); err != nil {
			return err
		}
		return b.Flush()
	}
	messages := out.out
	if s.Output == "-" {
		messages = out.err
		err = write(out.out)
	} else {
		err = to.Write(write)
	}
	if err == nil && !s.Quiet {
		fmt.Fprintln(messages, told.text(s, ix))
	}
	return err
}

// can returns an error if the index lacks what the flags need.
func (s *IndexSearch) can(ix *pq.Index) error {
	has := ix.Stats()
	switch {
	case s.Prove && !ix.Bounds():
		return usage("--prove: %s has no bounds: build it without --no-bounds", s.Index)
	case s.Prove && has.Vector == 0:
		return usage("--prove: %s does not keep its vectors: build it without --no-vectors", s.Index)
	case s.Candidates > 0 && has.Vector == 0:
		return usage("--candidates %d: %s does not keep its vectors: build it without --no-vectors", s.Candidates,
			s.Index)
	case s.Probes > 0 && has.Lists == 0:
		return usage("--probes %d: %s has no lists: build it with --lists", s.Probes, s.Index)
	}
	return nil
}

// found is what a search did.
type found struct {
	queries, read, proved int
	time                  time.Duration
}

func (f *found) text(s *IndexSearch, ix *pq.Index) string {
	each := (f.time / time.Duration(max(1, f.queries))).Round(100 * time.Nanosecond)
	text := fmt.Sprintf("%d queries, the %d nearest of %d: %v each", f.queries, s.K, ix.Len(), each)
	if s.Prove {
		mean := float64(f.read) / float64(max(1, f.queries))
		text += fmt.Sprintf("; proved %d of %d, %.1f vectors read for each, %.2f%%", f.proved, f.queries, mean,
			100*mean/float64(max(1, ix.Len())))
	}
	return text
}

// search writes the answers to all queries, some at a time.
func (s *IndexSearch) search(ctx context.Context, ix *pq.Index, w *bufio.Writer, told *found) error {
	q, err := s.open(s.Queries, ix.Codec().D())
	if err != nil {
		return err
	}
	const some = 1024
	o := pq.Search{K: s.K, Budget: s.Budget, Candidates: s.Candidates, Probes: s.Probes, Codes: s.ByCodes}
	for from := 0; from < q.Rows; from += some {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := q.Slice(from, min(from+some, q.Rows), 0, q.Cols)
		var near [][]pq.Neighbor
		var proofs []pq.Proof
		begin := time.Now()
		if s.Prove {
			near, proofs, err = ix.CertifyBatch(part, o, s.Workers)
		} else {
			near, err = ix.SearchBatch(part, o, s.Workers)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.Queries, err)
		}
		told.time += time.Since(begin)
		told.queries += len(near)
		for i, n := range near {
			var p *pq.Proof
			if s.Prove {
				p = &proofs[i]
				told.read += p.Read
				if p.Gap() == 0 {
					told.proved++
				}
			}
			if err := s.line(w, n, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer is a line of JSON.
type searchAnswer struct {
	IDs       []uint64  `json:"ids"`
	Distances []float32 `json:"distances"`
	Read      *int      `json:"read,omitempty"`
	Gap       *float64  `json:"gap,omitempty"`
}

// line writes the answer to a query.
func (s *IndexSearch) line(w *bufio.Writer, near []pq.Neighbor, p *pq.Proof) error {
	if s.JSON {
		a := searchAnswer{IDs: make([]uint64, len(near)), Distances: make([]float32, len(near))}
		for i, n := range near {
			a.IDs[i], a.Distances[i] = n.ID, n.Distance
		}
		if p != nil {
			gap := p.Gap()
			a.Read, a.Gap = &p.Read, &gap
		}
		return json.NewEncoder(w).Encode(a)
	}
	var b []byte
	for i, n := range near {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(strconv.AppendUint(b, n.ID, 10), ':')
		b = strconv.AppendFloat(b, float64(n.Distance), 'g', -1, 32)
	}
	if p != nil {
		b = fmt.Appendf(b, " read=%d gap=%v", p.Read, p.Gap())
	}
	_, err := w.Write(append(b, '\n'))
	return err
}
