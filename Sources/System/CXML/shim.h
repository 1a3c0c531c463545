#ifndef PUMPLINE_CXML_SHIM_H
#define PUMPLINE_CXML_SHIM_H

#include <libxml/xmlversion.h>

/* Its headers would bring those of ICU, which Foundation has in another version. */
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/valid.h>
#include <libxml/xmlreader.h>

static inline void pumpline_xml_say_nothing(void *context, const char *message, ...) {
  (void)context;
  (void)message;
}

/* Swift cannot make a function of any number of arguments, and without one libxml2 prints. */
static inline void pumpline_xml_silence(xmlValidCtxtPtr context) {
  context->error = pumpline_xml_say_nothing;
  context->warning = pumpline_xml_say_nothing;
}

#endif
