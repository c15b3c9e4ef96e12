/* pbkdf2_bench.c — the key of a passphrase: ours beside libcrypto's, in milliseconds of processor
 * time. */
#include "secrets/pbkdf2.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ITERATIONS = 1000000, RUNS = 3 };

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main(void)
{
    static const unsigned char salt[8] = "saltsalt";
    unsigned char ours[PBKDF2_KEY_SIZE], theirs[PBKDF2_KEY_SIZE];
    double best_ours = 1e9, best_theirs = 1e9;

    for (int i = 0; i < RUNS; i++) {
        double start = now_ms();
        pbkdf2_sha256(STR("passphrase"), (str){ (const char *)salt, sizeof(salt) }, ITERATIONS,
                      ours);
        double middle = now_ms();
        PKCS5_PBKDF2_HMAC("passphrase", 10, salt, sizeof(salt), ITERATIONS, EVP_sha256(),
                          sizeof(theirs), theirs);
        double end = now_ms();
        best_ours = middle - start < best_ours ? middle - start : best_ours;
        best_theirs = end - middle < best_theirs ? end - middle : best_theirs;
    }
    if (memcmp(ours, theirs, sizeof(ours)) != 0) {
        fprintf(stderr, "the keys differ\n");
        return 1;
    }
    printf("ours %.1f ms, libcrypto %.1f ms, %.1f times faster\n", best_ours, best_theirs,
           best_theirs / best_ours);
    return 0;
}
