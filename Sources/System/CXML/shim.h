#ifndef PUMPLINE_CXML_SHIM_H
#define PUMPLINE_CXML_SHIM_H

#include <libxml/xmlversion.h>

/* Its headers would bring those of ICU, which Foundation has in another version. */
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/xmlreader.h>

#endif
