// With the licence to reorder sums and to forget about NaN, which lets the compiler use vectors for them.
#pragma GCC optimize("fast-math")
#define NAME(s, kernel) s##kernel##_fast
#include "loops.h"
