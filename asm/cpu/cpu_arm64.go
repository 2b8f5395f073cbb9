//go:build arm64 && !purego

package cpu

import "golang.org/x/sys/cpu"

// detect needs no questions: NEON belongs to the baseline of arm64.
func detect() (t []Tier, missing string) { return []Tier{NEON}, "" }

func splitStores() bool { return false }

// extensions asks x/sys/cpu.
func extensions() extension { return extension{dotProd: cpu.ARM64.HasASIMDDP} }
