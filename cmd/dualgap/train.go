package main

import "context"

// Train are the families.
type Train struct {
	TopK TrainTopK `cmd:"" name:"topk" help:"Top-k multi-class support vector machines."`
}

// TrainTopK trains top-k support vector machines.
type TrainTopK struct {
	Weight []string `short:"w" sep:"none" help:"x."`
}

// Run is the command.
func (t *TrainTopK) Run(ctx context.Context, out *output) error { return nil }
