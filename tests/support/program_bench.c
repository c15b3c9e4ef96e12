/* program_bench.c — the entry of a script that registers many resources, as fast as the monitor
 * takes them.
 *
 * count; width: registrations in flight; shape: flat, chain or fanin; bytes: of payload for each;
 * salt: a property to change between runs; type. */
#include "support/program_request.h"

#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "model/signatures.h"
#include "proto/message.h"
#include "proto/struct_codec.h"
#include "support/json_value.h"
#include "support/script.h"

#include "pb/resource.pb-c.h"

enum bench_shape { SHAPE_FLAT, SHAPE_CHAIN, SHAPE_FANIN };
enum { FANIN_ROOTS = 10 };

struct bench {
    struct program *program;
    enum bench_shape shape;
    struct value properties; /* what all have in common */
    str type;
    str *urns;
    str *ids;
    struct semaphore slots;
    struct work_group group;
    struct error *failure; /* the first */
};

struct job {
    struct bench *bench;
    size_t index;
};

/* Which one it depends on; SIZE_MAX for none. */
static size_t needed_by(const struct bench *bench, size_t index)
{
    if (bench->shape == SHAPE_CHAIN && index > 0)
        return index - 1;
    return bench->shape == SHAPE_FANIN && index >= FANIN_ROOTS ? index % FANIN_ROOTS : SIZE_MAX;
}

static fallible fill(struct bench *bench, struct arena *arena, size_t index,
                     Pb__RegisterResourceRequest *request)
{
    size_t needed = needed_by(bench, index);
    struct value properties =
        value_with(arena, bench->properties, STR("i"), value_number((double)index));
    str bytes;

    request->type = message_cstr(arena, bench->type);
    request->name = message_cstr(arena, arena_printf(arena, "r%zu", index));
    request->parent = message_cstr(arena, bench->program->root);
    request->custom = request->accept_secrets = request->accept_resources = true;
    request->supports_partial_values = request->supports_result_reporting = true;
    if (needed != SIZE_MAX) {
        str id = bench->ids[needed].len ? bench->ids[needed] : UNKNOWN_STRING_TEXT;
        struct property_dependency dependency = { STR("dep"), { &bench->urns[needed], 1 } };
        properties = value_with(arena, properties, STR("dep"), value_string(id));
        message_put_strs(arena, request, dependencies, dependency.urns);
        request->property_dependencies =
            message_urns_entries(arena, (struct property_dependencies){ &dependency, 1 });
        request->n_property_dependencies = 1;
    }
    TRY(struct_encode(arena, properties, &bytes));
    message_put_bytes(request, object, bytes);
    return NULL;
}

static fallible register_one(struct bench *bench, size_t index)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    Pb__RegisterResourceRequest request = PB__REGISTER_RESOURCE_REQUEST__INIT;
    void *answer;

    TRY(fill(bench, &arena, index, &request));
    TRY(script_call(bench->program->monitor, MONITOR("RegisterResource"), &request.base,
                    &pb__register_resource_response__descriptor, &arena, &answer));
    const Pb__RegisterResourceResponse *response = answer;
    bench->urns[index] = arena_copy(bench->program->arena, message_str(response->urn));
    bench->ids[index] = arena_copy(bench->program->arena, message_str(response->id));
    return NULL;
}

static void run_job(void *job_)
{
    struct job *job = job_;
    struct error *failure = register_one(job->bench, job->index);

    if (job->bench->failure)
        error_ignore(failure, "the first one counts");
    else
        job->bench->failure = failure;
    semaphore_post(&job->bench->slots);
    work_group_done(&job->bench->group);
}

static struct value common_properties(struct arena *arena, struct value parameters)
{
    size_t len = (size_t)object_number(parameters, STR("bytes"), 256);
    char *pad = arena_alloc(arena, len + 1);
    struct value list[] = { value_string(STR("x")), value_string(STR("y")),
                            value_string(STR("z")) };

    for (size_t i = 0; i < len; i++)
        pad[i] = (char)('a' + i % 26);
    return script_record(
        arena, "pad", value_string((str){ pad, len }), "salt",
        value_string(object_text(parameters, STR("salt"))), "tags",
        script_record(arena, "a", value_string(STR("1")), "b", value_string(STR("2")), NULL),
        "list", value_array(arena, list, 3), NULL);
}

fallible program_bench(struct program *program, struct value parameters)
{
    size_t count = (size_t)object_number(parameters, STR("count"), 100);
    str shape = object_text(parameters, STR("shape")), type = object_text(parameters, STR("type"));
    struct job *jobs = ARENA_ARRAY(program->arena, struct job, count + 1);
    struct bench bench = {
        .program = program,
        .shape = str_equal(shape, STR("chain"))   ? SHAPE_CHAIN
                 : str_equal(shape, STR("fanin")) ? SHAPE_FANIN
                                                  : SHAPE_FLAT,
        .properties = common_properties(program->arena, parameters),
        .type = type.len ? type : STR("pkg:index:Res"),
        .urns = ARENA_ARRAY(program->arena, str, count + 1),
        .ids = ARENA_ARRAY(program->arena, str, count + 1),
        .slots = { .available = (size_t)object_number(parameters, STR("width"), 16) },
    };

    for (size_t i = 0; i < count && !bench.failure; i++) {
        semaphore_wait_uncancelable(&bench.slots);
        work_group_add(&bench.group, 1);
        jobs[i] = (struct job){ &bench, i };
        fiber_spawn(run_job, &jobs[i]);
        if (bench.shape == SHAPE_CHAIN || (bench.shape == SHAPE_FANIN && i < FANIN_ROOTS))
            work_group_wait_uncancelable(&bench.group);
    }
    work_group_wait_uncancelable(&bench.group);
    return bench.failure;
}
