#ifndef PUMPLINE_CMALLOC_SHIM_H
#define PUMPLINE_CMALLOC_SHIM_H

/* Not in Swift's module of the C library. */
#include <malloc.h>

#endif
