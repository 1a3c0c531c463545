#ifndef PUMPLINE_CCURL_SHIM_H
#define PUMPLINE_CCURL_SHIM_H

/* Newer headers call options old whose successors older libraries do not know. */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

/* libcurl is not linked: it brings some thirty libraries, and most commands need no network. What
   is needed of it is looked up once a command does. */
typedef struct {
  CURLcode (*global_init)(long);
  CURL *(*easy_init)(void);
  CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
  CURLcode (*easy_perform)(CURL *);
  CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
  void (*easy_cleanup)(CURL *);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} pumpline_curl;

/* 1 if the library was found with all that is needed; it stays loaded. */
static inline int pumpline_curl_load(pumpline_curl *curl, const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  *(void **)&curl->global_init = dlsym(library, "curl_global_init");
  *(void **)&curl->easy_init = dlsym(library, "curl_easy_init");
  *(void **)&curl->easy_setopt = dlsym(library, "curl_easy_setopt");
  *(void **)&curl->easy_perform = dlsym(library, "curl_easy_perform");
  *(void **)&curl->easy_getinfo = dlsym(library, "curl_easy_getinfo");
  *(void **)&curl->easy_cleanup = dlsym(library, "curl_easy_cleanup");
  *(void **)&curl->slist_append = dlsym(library, "curl_slist_append");
  *(void **)&curl->slist_free_all = dlsym(library, "curl_slist_free_all");
  return curl->global_init && curl->easy_init && curl->easy_setopt && curl->easy_perform &&
         curl->easy_getinfo && curl->easy_cleanup && curl->slist_append && curl->slist_free_all &&
         curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

/* Variadic in C, so invisible to Swift: one fixed form for each kind of value. */
static inline CURLcode pumpline_curl_set_number(
    const pumpline_curl *curl, CURL *handle, CURLoption option, long value) {
  return curl->easy_setopt(handle, option, value);
}

static inline CURLcode pumpline_curl_set_pointer(
    const pumpline_curl *curl, CURL *handle, CURLoption option, const void *value) {
  return curl->easy_setopt(handle, option, value);
}

static inline CURLcode pumpline_curl_set_body(
    const pumpline_curl *curl, CURL *handle, const void *bytes, size_t count) {
  CURLcode code = curl->easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  if (code != CURLE_OK) return code;
  return curl->easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

typedef size_t (*pumpline_curl_take)(char *, size_t, size_t, void *);

static inline CURLcode pumpline_curl_set_take(
    const pumpline_curl *curl, CURL *handle, CURLoption option, pumpline_curl_take take) {
  return curl->easy_setopt(handle, option, take);
}

static inline CURLcode pumpline_curl_set_progress(
    const pumpline_curl *curl, CURL *handle, curl_xferinfo_callback progress) {
  return curl->easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
}

static inline CURL *pumpline_curl_open(const pumpline_curl *curl) { return curl->easy_init(); }

static inline CURLcode pumpline_curl_perform(const pumpline_curl *curl, CURL *handle) {
  return curl->easy_perform(handle);
}

static inline void pumpline_curl_close(const pumpline_curl *curl, CURL *handle) {
  curl->easy_cleanup(handle);
}

static inline struct curl_slist *pumpline_curl_append(
    const pumpline_curl *curl, struct curl_slist *list, const char *line) {
  return curl->slist_append(list, line);
}

static inline void pumpline_curl_free(const pumpline_curl *curl, struct curl_slist *list) {
  curl->slist_free_all(list);
}

static inline long pumpline_curl_status(const pumpline_curl *curl, CURL *handle) {
  long status = 0;
  curl->easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

#endif
