// Package beam runs the models of dualgap over more rows than one machine holds, as Apache Beam pipelines: it scores
// rows, encodes them, certifies weights, trains smooth losses and fits grids. The runner is the caller's: the embedded
// Prism, Flink, Spark or Dataflow.
//
//	model, err := beam.AssetOf(ctx, "model.dg")
//	rows, err := beam.Split(ctx, "rows-*.f4", beam.Format{Kind: beam.Raw, Type: "f4", Cols: 784}, 1000)
//	report, err := beam.ScoreFiles(ctx, beam.Driver{Run: beamx.Run}, model, beam.ScoreOptions{K: 3}, rows, "answers")
//
// # What the package relies on
//
// An element is a range of a file, [Rows], and a few dozen bytes: a step reads the range and uses it at once, so that
// no rows cross the runner. What a step returns depends on its element and its specification alone, since a runner may
// run it more than once. Models, codebooks and weights are files, [Asset], that a process loads once. Files appear by a
// rename, whole or not at all.
//
// All paths are paths of Beam's file systems. The binary imports those that it uses: the local one, for example, is
// github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local.
package beam
