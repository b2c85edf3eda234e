// SHA-256 (FIPS 180-4) of bytes that are in memory as a whole: what the ids of shapes are made of.
#ifndef MARTLET_HASH_H
#define MARTLET_HASH_H

#include <stddef.h>
#include <stdint.h>

// Writes the 32 bytes of the digest. Uses the processor's instructions for it where there are any.
void martlet_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);

// The same without such instructions, for tests.
void martlet_sha256_portable(const uint8_t *bytes, size_t count, uint8_t digest[32]);

#endif
