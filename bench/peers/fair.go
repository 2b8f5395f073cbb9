package main

import (
	"os"
	"syscall"

	"github.com/dualgap/dualgap/asm/cpu"
)

const (
	coreType = "OPENBLAS_CORETYPE" // names the CPU whose kernels OpenBLAS takes, when it is loaded
	chosen   = "PEERS_OPENBLAS_CHOSE"
)

// classes are the CPUs of OpenBLAS by the least tier that runs their kernels as fast as may be. Others have kernels for
// 16 bytes.
var classes = map[string]cpu.Tier{
	"Haswell": cpu.AVX2, "Zen": cpu.AVX2,
	"SkylakeX": cpu.AVX512, "Cooperlake": cpu.AVX512, "SapphireRapids": cpu.AVX512,
}

// fairer returns the name of the kernels that OpenBLAS should run on this CPU where it chose narrower ones, as it does
// on CPUs that are younger than itself; "" where it chose well.
func fairer(core string, best cpu.Tier, bf16 bool) string {
	switch {
	case classes[core] >= best || best < cpu.AVX2:
		return ""
	case best == cpu.AVX2:
		return "Haswell"
	case bf16:
		return "Cooperlake"
	}
	return "SkylakeX"
}

// insistOnFair starts the program anew where OpenBLAS chose kernels too narrow, unless the environment names some. It
// returns what OpenBLAS chose by itself, "" where nobody told it otherwise.
func insistOnFair() (instead string, err error) {
	if os.Getenv(coreType) != "" {
		return os.Getenv(chosen), nil
	}
	_, core := openblasInfo()
	name := fairer(core, cpu.Tiers()[0], cpu.BF16)
	if name == "" {
		return "", nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	return "", syscall.Exec(self, os.Args, append(os.Environ(), coreType+"="+name, chosen+"="+core))
}
