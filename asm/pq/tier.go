//go:build amd64 && !purego

package pq

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level
