# Holds the AVX2 and AVX-512 kernels in a binary to their rules. First file: the symbols that must be there; second file: what
# llvm-objdump -d says of the binary.
#   every ret comes right after vzeroupper, but for the two instructions that give a frame back, where vector registers are used at all
#   no legacy SSE: it would be slow beside dirty upper halves, and dirty them in the caller
#   in AVX2 and F16C kernels no EVEX encoding (its first byte is 62) and no mask register

function fail(what) {
  printf "%s: %s: %s\n", name, what, $0
  bad++
}

# leave ends a function: its bare returns are faults if it used vector registers.
function leave() {
  if (vectors && bare) {
    printf "%s: no vzeroupper before %d ret\n", name, bare
    bad += bare
  }
  vectors = bare = 0
}

NR == FNR { want[$1]; next }

/^[0-9a-f]+ <.*>:$/ {
  leave()
  name = $2
  gsub(/^<.*[.]|>:$/, "", name)
  if (name == "abi0") { # PACKAGE.NAME.abi0
    n = split($2, part, ".")
    name = part[n - 1]
  }
  inside = name in want
  if (inside) seen[name]
  previous = ""
  next
}

inside && /^ *[0-9a-f]+:/ {
  split($0, column, "\t")
  split(column[1], bytes, " ")
  op = column[2]
  if (/%[xyz]mm/) vectors = 1
  if (op ~ /^ret/ && previous != "vzeroupper") bare++
  if (op !~ /^v/ && /%[xyz]mm/) fail("legacy SSE")
  if (op ~ /unknown/) fail("cannot be decoded")
  if (name ~ /(AVX2|F16C)$/ && (bytes[2] == "62" || /%k[0-7]/)) fail("AVX-512 in a kernel for AVX2")
  if (op ~ /^ret/) returns++
  if (!(op ~ /^(addq|subq|popq)/ && /%rsp|%rbp/)) previous = op
}

END {
  leave()
  for (name in want) {
    total++
    if (!(name in seen)) { print name ": not in the binary"; bad++ }
  }
  printf "%d kernels, %d returns, %d faults\n", total, returns, bad
  if (bad || !total || returns < total) exit 1
}
