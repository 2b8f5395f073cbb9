//go:build (amd64 || arm64) && !purego

package ints

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its bytes
