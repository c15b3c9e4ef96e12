/* assets.c — hashes of assets and archives that programs pass, also of those that are elsewhere. */
#include "engine/monitor/monitor.h"

#include "base/fs.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "fiber/offload.h"
#include "http/http.h"
#include "archive/asset_hash.h"

#include <unistd.h>

enum { ATTEMPTS = 5, FIRST_WAIT_MS = 100 };
static const uint64_t length_max = 4ULL << 30;

/* --- what is on a server --- */

struct fetching {
    struct arena *arena;
    struct http_client *client; /* NULL: nothing was fetched yet */
    struct map copies;          /* URI → path */
    struct {
        VEC(int);
    } files; /* that hold them; nothing is left when they are closed */
};

static void fetching_release(struct fetching *fetching)
{
    for (size_t i = 0; i < fetching->files.len; i++)
        close(fetching->files.items[i]);
    vec_release(&fetching->files);
    map_release(&fetching->copies);
    http_client_free(fetching->client);
}

static fallible asset_get(struct fetching *fetching, str uri, int fd)
{
    const struct http_request request = {
        .url = uri,
        .sink = { .kind = HTTP_TO_FILE, .fd = fd, .limit = length_max },
        .retry = { .attempts = ATTEMPTS, .first_wait_ms = FIRST_WAIT_MS },
    };
    struct http_response response;

    TRY(http_send(fetching->client, &request, fetching->arena, &response));
    if (http_response_is_good(&response))
        return NULL;
    return error_new(ERROR_INVALID, "GET " STR_FMT ": HTTP status %d", STR_ARG(uri),
                     response.status);
}

static fallible asset_fetch(void *fetching_, str uri)
{
    struct fetching *fetching = fetching_;

    if (map_has(&fetching->copies, uri))
        return NULL;
    int fd;
    TRY(fs_open_nameless("asset", &fd));
    vec_add(&fetching->files, fd);
    if (!fetching->client)
        fetching->client = http_client_new();
    TRY(error_wrap(asset_get(fetching, uri, fd), "failed to fetch an asset"));
    str *path = ARENA_NEW(fetching->arena, str);
    *path = arena_printf(fetching->arena, "/proc/self/fd/%d", fd);
    map_put(&fetching->copies, uri, path);
    return NULL;
}

/* --- hashes --- */

struct hashing {
    struct arena *arena;
    const struct asset_places *places;
    struct value value;
    struct error *failure;
};

static void compute_hashes(void *hashing_)
{
    struct hashing *hashing = hashing_;

    hashing->failure =
        value_compute_hashes(hashing->arena, hashing->places, hashing->value, &hashing->value);
}

fallible decode_assets(struct monitor *monitor, struct arena *arena, struct value *inout)
{
    CLEANUP(fetching_release) struct fetching fetching = { .arena = arena };
    const struct asset_places places = {
        .base_directory = monitor->options->project->program.program_directory,
        .fetched = &fetching.copies,
    };
    struct hashing hashing = { arena, &places, *inout, NULL };

    if (!value_needs_hashes(*inout))
        return NULL;
    TRY(value_visit_remote(*inout, asset_fetch, &fetching));
    offload(compute_hashes, &hashing);
    *inout = hashing.value;
    return hashing.failure;
}
