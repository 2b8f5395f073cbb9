package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// IndexBuild are the arguments and flags of "dualgap index build".
type IndexBuild struct {
	Vectors string `arg:"" help:"File with the vectors, \"-\" for standard input."`
	Index   string `arg:"" help:"File that the index goes to; the index of --add too, if it is the same."`

	CodeFlags
	Metric    string `group:"codes" enum:"l2,product,cosine" default:"l2" help:"What near means: ${enum}, the Euclidean distance, the inner product or the cosine, whose largest is nearest."`
	Lists     string `group:"codes" default:"auto" placeholder:"N" help:"Keep the vectors in N lists, of which a search visits a few; 0 for none. auto: none below 50000 vectors, else the square root of their number."`
	NoBounds  bool   `group:"codes" help:"pq, opq: keep nothing beside codes. Nothing can be proved then."`
	NoVectors bool   `group:"codes" help:"Do not keep the vectors themselves. The index is many times smaller, finds by codes alone, and proves nothing."`

	VectorFlags
	IDs    string `group:"data" name:"ids" placeholder:"FILE" help:"The id of each vector: NPY, or text with a number in each line. By default 0, 1, 2, ..."`
	Add    string `group:"data" placeholder:"INDEX" help:"Add the vectors to this index, by its codes. Ids go on behind its largest."`
	Update bool   `group:"data" help:"With --add and --ids: vectors take the place of the ones that have their ids."`

	Seed    uint64 `group:"stop" default:"0" help:"Of all that is drawn at random."`
	Workers int    `group:"stop" default:"0" help:"Goroutines; 0: all cores."`

	Overwrite
	Quiet bool `group:"output" short:"q" help:"Print errors only."`

	lists int // -1: auto
}

// Help is the end of the help.
func (*IndexBuild) Help() string {
	return `An index keeps a code of each vector and, unless told otherwise, the vector itself and bounds that tell how far it may be
from what its code says. So a search reads few vectors, and can prove that no other one is nearer.

By --add an index grows; its file is replaced when all is done, or not at all. docs/search.md is a tutorial, with a table
of which codes to take.

Examples:

  dualgap index build vectors.npy index.dg
  dualgap index build --codes opq --bytes 64 --lists 1000 base.fvecs index.dg
  dualgap index build --add index.dg --ids new.txt new.npy index.dg`
}

// Validate is called by kong.
func (b *IndexBuild) Validate(k *kong.Context) (err error) {
	g := givenIn(k)
	b.lists = -1
	if b.Lists != "auto" {
		if b.lists, err = strconv.Atoi(b.Lists); err != nil || b.lists < 0 {
			return usage("--lists %s: want a number, 0 for none, or auto", b.Lists)
		}
	}
	switch {
	case b.Workers < 0:
		return usage("--workers %d: want 1 at least, or 0 for all cores", b.Workers)
	case b.Index == "-":
		return usage("an index to standard output: want the name of a file")
	case strings.HasSuffix(b.Index, ".gz"):
		return usage("%s: an index is not packed, so that searches read it where it is: leave out .gz", b.Index)
	case b.NoBounds && (b.Codes == "pca" || b.Codes == "hadamard") && b.Add == "":
		return usage("--no-bounds with --codes %s, which needs them: leave it out, or take --codes pq or opq", b.Codes)
	}
	if b.Add != "" {
		for _, flag := range []string{"codes", "bytes", "bits", "dims", "metric", "lists", "no-bounds", "no-vectors",
			"seed"} {
			if g[flag] != nil {
				return usage("%s and --add %s: that index has its own; leave it out", g.said(flag), b.Add)
			}
		}
	}
	return first(
		b.validate(g),
		g.above0("max-rows"),
		g.need(b.Add != "" && b.IDs != "", "--add and --ids, which say what to replace", "update"),
		g.fit(b.Vectors, b.Format),
	)
}

// Run builds.
func (b *IndexBuild) Run(ctx context.Context, out *output) error {
	out = out.quiet(b.Quiet, false)
	plan := file.Plan{Force: b.Force}
	plan.Reads("the vectors", data.Files(b.Vectors, b.options())...)
	plan.Reads("the ids", b.IDs)
	to := plan.Writes("the index", b.Index, indexKind)
	if err := plan.Check(); err != nil {
		return err
	}
	ctx, stop := catch(ctx, out.err, "no index will be written")
	defer stop()
	bar := out.bar(1)
	err := b.build(ctx, out, bar, to)
	bar.close()
	if errors.Is(err, context.Canceled) {
		return &exit{interrupted, fmt.Errorf("interrupted: %s is as it was", b.Index)}
	}
	return err
}

func (b *IndexBuild) build(ctx context.Context, out *output, bar *bar, to *file.Output) error {
	begin, d := time.Now(), 0
	var ix *pq.Index
	var err error
	if b.Add != "" {
		if ix, err = readIndex(b.Add); err != nil {
			return err
		}
		d = ix.Codec().D()
	}
	x, err := b.open(b.Vectors, d)
	if err != nil {
		return err
	}
	var ids []uint64
	if b.IDs != "" {
		if ids, err = openIDs(b.IDs, x.Rows); err != nil {
			return err
		}
	}
	out.note("%d vectors of %d numbers, read in %s", x.Rows, x.Cols, since(begin))
	if ix == nil {
		if ix, err = b.empty(ctx, out, bar, x); err != nil {
			return fmt.Errorf("%s: %w", b.Vectors, err)
		}
	}
	if err := b.addTo(ctx, bar, ix, x, ids); err != nil {
		return err
	}
	bar.say("writing", 1)
	if err := to.Write(func(w io.Writer) error { _, err := ix.WriteTo(w); return err }); err != nil {
		return err
	}
	bar.close()
	s := ix.Stats()
	out.note("%s: %d vectors, %d bytes each, in %s", b.Index, s.Vectors, s.Code+s.Bounds+s.Vector, since(begin))
	return nil
}

// empty trains what an index of x needs.
func (b *IndexBuild) empty(ctx context.Context, out *output, bar *bar, x vec.Matrix[float32]) (*pq.Index, error) {
	c, err := b.of(x.Cols)
	if err != nil {
		return nil, err
	}
	lists := b.lists
	switch {
	case lists < 0 && x.Rows < manyVectors:
		lists = 0
	case lists < 0:
		lists = int(math.Sqrt(float64(x.Rows)))
	case lists > x.Rows:
		return nil, usage("--lists %d of %d vectors, want at most as many", lists, x.Rows)
	}
	if b.Metric == "cosine" {
		if x, err = pq.Normalized(x); err != nil {
			return nil, err
		}
	}
	begin := time.Now()
	codec, err := c.train(ctx, x, b.Seed, b.Workers, bar)
	if err != nil {
		return nil, err
	}
	out.note("%s: %d bytes a vector, trained in %s", describeCodec(codec), codec.CodeSize(), since(begin))
	config := pq.IndexConfig{Metric: metricNames[b.Metric], Bounds: !b.NoBounds, Vectors: !b.NoVectors}
	if lists > 0 {
		begin = time.Now()
		bar.say("training lists", 0)
		if config.Lists, err = pq.TrainLists(ctx, x, lists, b.Seed, b.Workers); err != nil {
			return nil, err
		}
		out.note("%d lists, trained in %s", lists, since(begin))
	}
	ix, err := pq.NewIndexOf(codec, config)
	if err != nil {
		return nil, err
	}
	s := ix.Stats()
	return ix, memory.Need(fmt.Sprintf("the index of %d vectors takes", x.Rows),
		float64(x.Rows)*float64(s.Code+s.Bounds+s.Vector+8))
}

// manyVectors is from where on lists pay.
const manyVectors = 50000

// addTo adds vectors, some at a time.
func (b *IndexBuild) addTo(ctx context.Context, bar *bar, ix *pq.Index, x vec.Matrix[float32], ids []uint64) error {
	const some = 1 << 14
	if ids != nil && !b.Update {
		if err := strange(ix, ids); err != nil {
			return fmt.Errorf("%s: %w", b.IDs, err)
		}
	}
	for from := 0; from < x.Rows; from += some {
		if err := ctx.Err(); err != nil {
			return err
		}
		bar.say(fmt.Sprintf("%d of %d vectors added", from, x.Rows), float64(from)/float64(x.Rows))
		to := min(from+some, x.Rows)
		part := x.Slice(from, to, 0, x.Cols)
		var err error
		switch {
		case ids == nil:
			err = ix.Add(part, b.Workers)
		case b.Update:
			err = ix.Update(ids[from:to], part, b.Workers)
		default:
			err = ix.AddIDs(ids[from:to], part, b.Workers)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.Vectors, err)
		}
	}
	return nil
}

// strange returns an error unless each id is there once, and none of them in the index.
func strange(ix *pq.Index, ids []uint64) error {
	seen := make(map[uint64]int, len(ids))
	for i, id := range ids {
		if first, twice := seen[id]; twice {
			return fmt.Errorf("id %d of vector %d is the id of vector %d, too", id, i, first)
		}
		if ix.Has(id) {
			return fmt.Errorf("id %d of vector %d is in the index already: --update replaces it", id, i)
		}
		seen[id] = i
	}
	return nil
}
