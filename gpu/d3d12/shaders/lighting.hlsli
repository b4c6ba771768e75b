// How high paint lies and how it is lit, by a kernel's own constants.
#define LIGHTING
#define LIT(name) name
#include "relief.h"
