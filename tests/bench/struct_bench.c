/* struct_bench.c — decoding and encoding of property values: plain and with signatures, 50 KB and
 * 10 MB. */
#include "model/signatures.h"
#include "proto/marshal.h"
#include "proto/struct_codec.h"

#include <stdio.h>
#include <time.h>

static double now_us(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

/* Something like a bucket with its rules. */
static struct value make_item(struct arena *arena, size_t i, bool has_secrets)
{
    struct value owner = value_string(arena_printf(arena, "team-%zu", i % 17));
    struct member secret[] = { { SIGNATURE_KEY, value_string(SIGNATURE_SECRET) },
                               { STR("value"), owner } };
    struct member tags[] = {
        { STR("environment"), value_string(STR("production")) },
        { STR("owner"), has_secrets ? value_object(arena, secret, 2) : owner },
        { STR("costCenter"), value_number((double)(i % 100)) },
    };
    struct value names[] = { value_string(STR("s3:GetObject")), value_string(STR("s3:PutObject")) };
    struct member members[] = {
        { STR("arn"),
          value_string(arena_printf(arena, "arn:aws:s3:::bucket-with-a-long-name-%zu", i)) },
        { STR("bucketDomainName"),
          value_string(arena_printf(arena, "bucket-%zu.s3.amazonaws.com", i)) },
        { STR("forceDestroy"), value_bool(i % 2 == 0) },
        { STR("hostedZoneId"), value_string(STR("Z3AQBSTGFYJSTF")) },
        { STR("actions"), value_array(arena, names, 2) },
        { STR("tags"), value_object(arena, tags, 3) },
        { STR("website"), value_null() },
        { STR("versioning"),
          value_object(arena, &(struct member){ STR("enabled"), value_bool(true) }, 1) },
    };
    return value_object(arena, members, sizeof(members) / sizeof(*members));
}

static struct value make_object(struct arena *arena, size_t count, bool has_secrets)
{
    struct member *members = ARENA_ARRAY(arena, struct member, count);
    for (size_t i = 0; i < count; i++)
        members[i] = (struct member){ arena_printf(arena, "bucket%06zu", i),
                                      make_item(arena, i, has_secrets) };
    return value_object(arena, members, count);
}

static void report(const char *what, double us, size_t bytes)
{
    printf("  %-28s %10.1f us %8.0f MB/s\n", what, us, (double)bytes / us);
}

static void drop(struct error *failure)
{
    if (failure)
        printf("FAILED: " STR_FMT "\n", STR_ARG(error_message(failure)));
    error_free(failure);
}

static void bench_decode(const char *what, str bytes, enum text_storage storage, unsigned rounds)
{
    double best = 1e300;
    size_t held = 0;

    for (unsigned i = 0; i < rounds; i++) {
        struct arena arena = { 0 };
        struct value value;
        double start = now_us();
        drop(struct_decode(&arena, bytes, storage, &value));
        held = arena.total;
        arena_release(&arena);
        double spent = now_us() - start;
        best = spent < best ? spent : best;
    }
    report(what, best, bytes.len);
    printf("  %-28s %10.2f of the input\n", "  memory", (double)held / (double)bytes.len);
}

static const struct unmarshal_options keep = { .keep_unknowns = true,
                                               .keep_secrets = true,
                                               .keep_resources = true };
static const struct marshal_options send = { .keep_unknowns = true,
                                             .keep_secrets = true,
                                             .keep_resources = true };

/* The same values, one in fifteen a secret. */
static void bench_marshal(str bytes, unsigned rounds)
{
    double best_read = 1e300, best_write = 1e300;
    str sent = { 0 };

    for (unsigned i = 0; i < rounds; i++) {
        struct arena call = { 0 };
        struct value value = VALUE_EMPTY_OBJECT;
        double start = now_us();
        drop(properties_unmarshal(&call, bytes, &keep, &value));
        double between = now_us();
        drop(properties_marshal(&call, value, &send, &sent));
        double end = now_us();
        arena_release(&call);
        best_read = between - start < best_read ? between - start : best_read;
        best_write = end - between < best_write ? end - between : best_write;
    }
    report("unmarshal with secrets", best_read, bytes.len);
    report("marshal with secrets", best_write, bytes.len);
}

static void bench_encode(const char *what, struct value value, unsigned rounds)
{
    double best = 1e300;
    str bytes = { 0 };

    for (unsigned i = 0; i < rounds; i++) {
        struct arena arena = { 0 };
        double start = now_us();
        drop(struct_encode(&arena, value, &bytes));
        arena_release(&arena);
        double spent = now_us() - start;
        best = spent < best ? spent : best;
    }
    report(what, best, bytes.len);
}

static void bench(size_t count, unsigned rounds)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value value = make_object(&arena, count, false);
    str bytes = { 0 };

    drop(struct_encode(&arena, value, &bytes));
    printf("%zu bytes, best of %u\n", bytes.len, rounds);
    bench_decode("decode, text borrowed", bytes, TEXT_BORROWED, rounds);
    bench_decode("decode, text copied", bytes, TEXT_COPIED, rounds);
    drop(struct_decode(&arena, bytes, TEXT_BORROWED, &value));
    bench_encode("encode", value, rounds);
    drop(struct_encode(&arena, make_object(&arena, count, true), &bytes));
    bench_marshal(bytes, rounds);
}

int main(void)
{
    bench(130, 300);
    bench(26500, 10);
    return 0;
}
