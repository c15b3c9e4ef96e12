/* checkpoint_bench.c — reads and writes a large checkpoint and says how much processor time and
 * memory that takes. checkpoint_bench make FILE [MEGABYTES] writes one; checkpoint_bench FILE
 * measures. */
#include "model/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { RUNS = 5 };

/* Of this process, so that a busy machine does not matter. */
static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double peak_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* --- making --- */

/* Inputs as a cloud provider has them: names, tags, a nested list, numbers, a secret now and
 * then. */
static struct value make_inputs(struct arena *arena, size_t i)
{
    struct member tags[] = {
        { STR("Environment"), value_string(STR("production")) },
        { STR("Name"), value_string(arena_printf(arena, "instance-%zu", i)) },
        { STR("Team"), value_string(STR("platform & \"infrastructure\"")) },
    };
    struct value ports[4];
    for (size_t j = 0; j < 4; j++) {
        struct member rule[] = {
            { STR("cidrBlocks"), value_string(STR("10.0.0.0/16")) },
            { STR("fromPort"), value_number((double)(8000 + j)) },
            { STR("protocol"), value_string(STR("tcp")) },
            { STR("toPort"), value_number((double)(8000 + j) + 0.5) },
        };
        ports[j] = value_object(arena, rule, 4);
    }
    struct value password = value_secret(arena, value_string(STR("hunter2")));
    password.secret->ciphertext =
        STR("v1:AhmZKi4mjkO0nT/n:LS9lSqpklFdshbXKuUHwAxIYw8wAhmZKi4mjkO0nT");
    struct member members[] = {
        { STR("ami"), value_string(STR("ami-0123456789abcdef0")) },
        { STR("ebsOptimized"), value_bool(true) },
        { STR("ingress"), value_array(arena, ports, 4) },
        { STR("instanceType"), value_string(STR("m5.2xlarge")) },
        { STR("password"), i % 10 == 0 ? password : value_null() },
        { STR("tags"), value_object(arena, tags, 3) },
        { STR("userData"), value_string(STR("#!/bin/bash\nset -e\necho \"hello <world>\"\nexec "
                                            "/usr/bin/agent --config /etc/agent.json\n")) },
    };
    return value_object(arena, members, 7);
}

static struct resource *make_resource(struct arena *arena, size_t i)
{
    struct resource *resource = ARENA_NEW(arena, struct resource);
    str *dependencies = ARENA_ARRAY(arena, str, 1);
    struct property_dependency *properties = ARENA_ARRAY(arena, struct property_dependency, 1);

    resource->urn = arena_printf(
        arena, "urn:pulumi:production::platform::aws:ec2/instance:Instance::instance-%zu", i);
    resource->type = STR("aws:ec2/instance:Instance");
    resource->is_custom = true;
    resource->id = arena_printf(arena, "i-%017zx", i);
    resource->inputs = make_inputs(arena, i);
    resource->outputs =
        value_with(arena, resource->inputs, STR("arn"),
                   value_string(arena_printf(
                       arena, "arn:aws:ec2:us-west-2:123456789012:instance/i-%017zx", i)));
    resource->parent =
        STR("urn:pulumi:production::platform::pulumi:pulumi:Stack::platform-production");
    resource->provider = STR("urn:pulumi:production::platform::pulumi:providers:aws::default_6_1_0:"
                             ":7ffcfce6-46ea-470b-9683-f3b3f109be7a");
    dependencies[0] = arena_printf(
        arena, "urn:pulumi:production::platform::aws:ec2/instance:Instance::instance-%zu", i / 2);
    resource->dependencies = (struct strs){ dependencies, 1 };
    properties[0] = (struct property_dependency){ STR("userData"), resource->dependencies };
    resource->property_dependencies = (struct property_dependencies){ properties, 1 };
    resource->created = resource->modified = STR("2026-11-16T01:43:47.1043195Z");
    return resource;
}

static int make_file(const char *path, size_t megabytes)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    struct json_writer writer = { .out = &out };
    size_t count = megabytes * 1000000 / 2020;
    struct snapshot snapshot = { .resource_count = count, .time = STR("2026-11-16T01:43:49Z") };

    snapshot.resources = ARENA_ARRAY(&arena, struct resource *, count);
    for (size_t i = 0; i < count; i++)
        snapshot.resources[i] = make_resource(&arena, i);
    checkpoint_write(&writer, STR("organization/platform/production"), &snapshot);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(out.ptr, 1, out.len, file) != out.len || fclose(file) != 0) {
        perror(path);
        return 1;
    }
    printf("%zu resources, %.1f MB\n", count, (double)out.len / 1e6);
    return 0;
}

/* --- measuring --- */

static str load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    size_t len = (size_t)ftell(file);
    char *text = malloc(len);
    rewind(file);
    if (!text || fread(text, 1, len, file) != len)
        abort();
    fclose(file);
    return (str){ text, len };
}

/* Where a backend would write to the file. */
static struct error *count_bytes(void *total, str chunk)
{
    *(size_t *)total += chunk.len;
    return NULL;
}

static void measure(str text, double *read_ms, double *write_ms)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t total = 0;
    struct json_writer writer = { .out = &out, .flush = count_bytes, .flush_context = &total };
    struct snapshot snapshot;
    bool has_deployment;

    double start = now_ms();
    struct error *error = checkpoint_read(&arena, text, &snapshot, &has_deployment);
    double middle = now_ms();
    if (!error) {
        checkpoint_write(&writer, STR("organization/platform/production"), &snapshot);
        error = json_writer_finish(&writer);
    }
    double end = now_ms();
    if (error || total != text.len) {
        fprintf(stderr, "failed: " STR_FMT "\n",
                STR_ARG(error ? error_message(error) : STR("another length")));
        exit(1);
    }
    *read_ms = middle - start < *read_ms ? middle - start : *read_ms;
    *write_ms = end - middle < *write_ms ? end - middle : *write_ms;
}

int main(int argc, char **argv)
{
    double read_ms = 1e9, write_ms = 1e9;

    if (argc >= 3 && strcmp(argv[1], "make") == 0)
        return make_file(argv[2], argc > 3 ? (size_t)strtoul(argv[3], NULL, 10) : 50);
    if (argc != 2)
        return 2;
    str text = load(argv[1]);
    for (int i = 0; i < RUNS; i++)
        measure(text, &read_ms, &write_ms);
    printf("C   read %.0f ms, write %.0f ms, both %.0f ms, peak %.0f MB for %.1f MB\n", read_ms,
           write_ms, read_ms + write_ms, peak_mb(), (double)text.len / 1e6);
    return 0;
}
