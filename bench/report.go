package main

import (
	"runtime"

	"github.com/dualgap/dualgap/vec"
)

// report prints results as they come.
type report interface {
	info(Info) error
	kernel(single, double Kernel) error // one kernel at one size
	problem(*problem) error             // before its models
	model(*problem, Model) error
	zeroShotProblem(*zeroShot) error // before its methods
	zeroShot(*zeroShot, ZeroShot) error
	manyKernelsProblem(*manyKernels) error // before its machines
	manyKernels(*manyKernels, ManyKernels) error
}

// Info is the machine and the program.
type Info struct {
	CPU      vec.CPUInfo
	Go       string // its version
	Platform string
}

func newInfo() Info {
	return Info{CPU: vec.Info(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
}
