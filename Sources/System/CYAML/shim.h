#ifndef PUMPLINE_CYAML_SHIM_H
#define PUMPLINE_CYAML_SHIM_H

#include <yaml.h>

#endif
