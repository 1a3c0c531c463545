#ifndef PUMPLINE_CLIBARCHIVE_SHIM_H
#define PUMPLINE_CLIBARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

#endif
