#ifndef PUMPLINE_CSQLITE_SHIM_H
#define PUMPLINE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* Variadic in C, so invisible to Swift: one fixed form of each that is needed. */
static inline int pumpline_sqlite_config_defensive(sqlite3 *database) {
  int on = 0;
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, &on);
}

#endif
