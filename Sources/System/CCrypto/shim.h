#ifndef PUMPLINE_CCRYPTO_SHIM_H
#define PUMPLINE_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#endif
