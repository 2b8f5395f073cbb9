#define NAME(s, kernel) s##kernel##_strict
#include "loops.h"
