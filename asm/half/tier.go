//go:build (amd64 || arm64) && !purego

package half

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level
