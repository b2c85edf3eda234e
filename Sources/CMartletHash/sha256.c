// SHA-256 as FIPS 180-4 writes it down, and with the instructions that x86-64 and ARM have for it.
//
// Always true: every way gives the same digest; a test compares them with each other and with the standard's examples.
#include "martlet_hash.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__) && (defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO))
#include <arm_neon.h>
#define MARTLET_HAS_ARM_SHA 1
#endif

// The fractional parts of the cube roots of the first 64 primes.
static const uint32_t round_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// The fractional parts of the square roots of the first 8 primes.
static const uint32_t initial_state[8] = {
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

typedef void (*block_function)(uint32_t state[8], const uint8_t *bytes, size_t blocks);

static inline uint32_t rotated(uint32_t word, int by) { return word >> by | word << (32 - by); }

static void blocks_portable(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32_t schedule[64];
    for (int t = 0; t < 16; t++) {
      schedule[t] = (uint32_t)bytes[4 * t] << 24 | (uint32_t)bytes[4 * t + 1] << 16 | (uint32_t)bytes[4 * t + 2] << 8 |
                    bytes[4 * t + 3];
    }
    for (int t = 16; t < 64; t++) {
      uint32_t early = schedule[t - 15], late = schedule[t - 2];
      schedule[t] = schedule[t - 16] + (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) + schedule[t - 7] +
                    (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
      uint32_t first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) +
                       round_constants[t] + schedule[t];
      uint32_t second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + first;
      d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)

// The instructions keep the state in two registers, in the order A B E F and C D G H from the highest word down.
__attribute__((target("sha,sse4.1,ssse3"))) static void blocks_x86(
    uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i dcba = _mm_loadu_si128((const __m128i *)&state[0]);
  __m128i hgfe = _mm_loadu_si128((const __m128i *)&state[4]);
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i former_abef = abef, former_cdgh = cdgh;
    // A window of 16 words, four in each.
    __m128i window[4];
    for (int group = 0; group < 16; group++) {
      __m128i *words = &window[group & 3];
      if (group < 4) {
        *words = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * group)), big_endian);
      } else {
        __m128i last = window[(group + 3) & 3];
        __m128i middle = _mm_alignr_epi8(last, window[(group + 2) & 3], 4);
        __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*words, window[(group + 1) & 3]), middle);
        *words = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i input = _mm_add_epi32(*words, _mm_loadu_si128((const __m128i *)&round_constants[4 * group]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0E));
    }
    abef = _mm_add_epi32(abef, former_abef);
    cdgh = _mm_add_epi32(cdgh, former_cdgh);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(dchg, feba, 8));
}

static int has_instructions(void) {
  // Asked once for each process; two threads that ask at once get the same answer.
  static int known = 0;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    unsigned a, b, c, d;
    int has_sse = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1);
    int has_sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
    answer = has_sse && has_sha ? 1 : -1;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer > 0;
}

static block_function best_blocks(void) { return has_instructions() ? blocks_x86 : blocks_portable; }

#elif defined(MARTLET_HAS_ARM_SHA)

static void blocks_arm(uint32_t state[8], const uint8_t *bytes, size_t blocks) {
  uint32x4_t abcd = vld1q_u32(&state[0]), efgh = vld1q_u32(&state[4]);
  for (; blocks > 0; blocks--, bytes += 64) {
    const uint32x4_t former_abcd = abcd, former_efgh = efgh;
    uint32x4_t window[4];
    for (int group = 0; group < 16; group++) {
      uint32x4_t *words = &window[group & 3];
      if (group < 4) {
        *words = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * group)));
      } else {
        *words = vsha256su1q_u32(
            vsha256su0q_u32(*words, window[(group + 1) & 3]), window[(group + 2) & 3], window[(group + 3) & 3]);
      }
      uint32x4_t input = vaddq_u32(*words, vld1q_u32(&round_constants[4 * group]));
      uint32x4_t before = abcd;
      abcd = vsha256hq_u32(abcd, efgh, input);
      efgh = vsha256h2q_u32(efgh, before, input);
    }
    abcd = vaddq_u32(abcd, former_abcd);
    efgh = vaddq_u32(efgh, former_efgh);
  }
  vst1q_u32(&state[0], abcd);
  vst1q_u32(&state[4], efgh);
}

static block_function best_blocks(void) { return blocks_arm; }

#else

static block_function best_blocks(void) { return blocks_portable; }

#endif

static void sha256(block_function blocks, const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  uint32_t state[8];
  memcpy(state, initial_state, sizeof state);
  size_t whole = count / 64, rest = count % 64;
  if (whole > 0) blocks(state, bytes, whole);
  // The rest, a bit that is set, and the number of bits at the end of the last block.
  uint8_t last[128] = {0};
  if (rest > 0) memcpy(last, bytes + 64 * whole, rest);
  last[rest] = 0x80;
  size_t last_blocks = rest < 56 ? 1 : 2;
  uint64_t bits = (uint64_t)count * 8;
  for (int byte = 0; byte < 8; byte++) last[64 * last_blocks - 1 - byte] = (uint8_t)(bits >> 8 * byte);
  blocks(state, last, last_blocks);
  for (int word = 0; word < 8; word++) {
    for (int byte = 0; byte < 4; byte++) digest[4 * word + byte] = (uint8_t)(state[word] >> (24 - 8 * byte));
  }
}

void martlet_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  sha256(best_blocks(), bytes, count, digest);
}

void martlet_sha256_portable(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
  sha256(blocks_portable, bytes, count, digest);
}
