//go:build arm64 && !purego

package cpu

// detect needs no questions: NEON belongs to the baseline of arm64.
func detect() (t []Tier, missing string) { return []Tier{NEON}, "" }

func splitStores() bool { return false }

func hasVBMI() bool { return false }
