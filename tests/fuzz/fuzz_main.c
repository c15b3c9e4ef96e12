/* fuzz_main.c — replays a corpus through a fuzz target where no fuzzing engine is linked: each file
 * of tests/fuzz/corpus/<target>, and each of its prefixes, single-byte flips and a few random
 * mutations. Speaks TAP. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MUTATIONS = 400, LARGEST = 1 << 20 };

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The target gets a block of exactly the size, so that ASan sees a read past the end. */
static void run_once(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static void run_mutations(uint8_t *data, size_t size)
{
    for (int i = 0; i < MUTATIONS && size > 0; i++) {
        size_t at = next_random() % size;
        uint8_t kept = data[at];
        data[at] = (uint8_t)(i % 2 ? next_random() : kept ^ (1u << (next_random() % 8)));
        run_once(data, i % 5 == 0 ? next_random() % (size + 1) : size);
        data[at] = kept;
    }
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    uint8_t *data = malloc(LARGEST);
    if (!data)
        abort();
    size_t size = fread(data, 1, LARGEST, file);
    fclose(file);
    run_once(data, size);
    run_mutations(data, size);
    free(data);
    return 0;
}

int main(int argc, char **argv)
{
    char folder[512];
    const char *name = strrchr(argv[0], '/');
    name = name ? name + 1 : argv[0];
    if (strncmp(name, "fuzz_", 5) == 0)
        name += 5;
    if (argc > 1)
        return run_file(argv[1]) ? 1 : 0;

    snprintf(folder, sizeof(folder), "tests/fuzz/corpus/%s", name);
    DIR *listing = opendir(folder);
    if (!listing) {
        printf("not ok 1 - %s: no corpus in %s\n", name, folder);
        return 1;
    }
    int count = 0;
    for (struct dirent *entry; (entry = readdir(listing));) {
        char path[1024];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (run_file(path) != 0) {
            printf("not ok %d - %s cannot be read\n", count + 1, path);
            return 1;
        }
        count++;
    }
    closedir(listing);
    printf("%s %d - %s survives %d files and their mutations\n", count ? "ok" : "not ok", 1, name,
           count);
    return count ? 0 : 1;
}
