/* replay.c — the state that journal entries leave on top of a base snapshot.
 *
 * What must hold:
 * 1. Entries name resources of the base by place and resources of the journal by the operation that
 * made them; nothing else.
 * 2. The base is never reordered: what the journal made comes first, in the order it was made, then
 * what is left of the base. Only where resources were read while the program ran is the whole put
 * into order: one that was read may come before something it depends on that was not.
 * 3. A begin without an end is a pending operation. Of the base's own only interrupted creates
 * stay, until an operation says otherwise.
 * 4. What a failure carries is not applied.
 * 5. What is to be deleted and was deleted to be replaced is gone: `delete` wins over
 * `pendingReplacement`, in whatever order they come.
 * 6. Every entry costs the same, however long the journal and the base are. */
#include "model/journal.h"

#include "base/map.h"
#include "model/resource_links.h"
#include "model/snapshot_repair.h"
#include "model/table.h"

/* What has become of one resource of the base. */
struct base_mark {
    struct resource *replacement; /* takes its place */
    bool is_dropped;
    bool is_delete;
    bool is_pending_replacement;
};

/* A resource the journal made. */
struct made {
    struct resource *resource;
    bool is_dropped;
};

struct operation {
    int64_t id;
    const struct pending_operation *pending; /* NULL: begun without one */
    bool is_incomplete;
    bool has_result;
    size_t made; /* place in replay->made */
};

struct replay {
    struct arena *arena;
    struct snapshot base;
    struct base_mark *marks; /* one for each resource of the base */
    struct made *made;
    size_t made_len;
    size_t made_capacity;
    struct table operations; /* id → struct operation *, in the order they were begun */
    struct extension *extensions;
    size_t extension_len;
    size_t extension_capacity;
    bool has_refresh;           /* before a program ran: the base is rebuilt */
    bool has_persisted_refresh; /* while it ran */
    bool has_refreshed_rest;    /* and after it, what it did not mention */
    bool drops_pending_creates;
    bool is_closed; /* a rebuilt base put resources of the journal into it: places after that mean
                       nothing */
};

static void start_over(struct replay *replay, const struct snapshot *base)
{
    bool had_byte_strings = replay->base.had_byte_strings;

    replay->base = *base;
    replay->base.had_byte_strings |= had_byte_strings;
    replay->marks = ARENA_ARRAY(replay->arena, struct base_mark, base->resource_count);
    replay->made_len = 0;
    replay->operations = table_in(replay->arena);
    replay->extension_len = 0;
    replay->has_refresh = false;
    replay->has_persisted_refresh = false;
    replay->has_refreshed_rest = false;
    replay->drops_pending_creates = false;
}

struct replay *replay_new(struct arena *arena, const struct snapshot *base)
{
    struct replay *replay = ARENA_NEW(arena, struct replay);

    replay->arena = arena;
    start_over(replay, base);
    return replay;
}

/* --- operations and what they made --- */

static struct operation *find_operation(const struct replay *replay, int64_t id)
{
    return table_find(&replay->operations, (str){ (const char *)&id, sizeof(id) });
}

static struct operation *get_operation(struct replay *replay, int64_t id)
{
    struct operation *operation = find_operation(replay, id);

    if (operation)
        return operation;
    operation = ARENA_NEW(replay->arena, struct operation);
    operation->id = id;
    table_put(&replay->operations, (str){ (const char *)&operation->id, sizeof(operation->id) },
              operation);
    return operation;
}

static void replay_complete(struct replay *replay, int64_t id)
{
    struct operation *operation = find_operation(replay, id);

    if (!operation)
        return;
    operation->is_incomplete = false;
    operation->pending = NULL; /* its owner may use it again */
}

static void add_made(struct replay *replay, int64_t id, struct resource *resource)
{
    struct operation *operation = get_operation(replay, id);

    if (replay->made_len == replay->made_capacity) {
        size_t capacity = replay->made_capacity ? 2 * replay->made_capacity : 64;
        struct made *made = ARENA_ARRAY(replay->arena, struct made, capacity);
        if (replay->made_len)
            memcpy(made, replay->made, replay->made_len * sizeof(*made));
        replay->made = made;
        replay->made_capacity = capacity;
    }
    operation->has_result = true;
    operation->made = replay->made_len;
    replay->made[replay->made_len++] = (struct made){ .resource = resource };
}

/* --- places --- */

static fallible check_old(const struct replay *replay, int64_t place)
{
    if (place == JOURNAL_NONE || (place >= 0 && (uint64_t)place < replay->base.resource_count))
        return NULL;
    return error_new(
        ERROR_INVALID,
        "the journal refers to the resource at index %lld, but the checkpoint has only %zu",
        (long long)place, replay->base.resource_count);
}

static fallible check_new(const struct replay *replay, const struct journal_entry *entry,
                          int64_t id)
{
    const struct operation *operation = id == JOURNAL_NONE ? NULL : find_operation(replay, id);
    bool makes_itself = id == entry->operation_id && entry->state && entry->kind == JOURNAL_SUCCESS;

    if (id == JOURNAL_NONE || makes_itself || (operation && operation->has_result))
        return NULL;
    return error_new(ERROR_INVALID, "operation %lld has made no resource", (long long)id);
}

static fallible check_places(const struct replay *replay, const struct journal_entry *entry)
{
    TRY(check_old(replay, entry->remove_old));
    TRY(check_old(replay, entry->delete_old));
    TRY(check_old(replay, entry->pending_replacement_old));
    TRY(check_new(replay, entry, entry->remove_new));
    TRY(check_new(replay, entry, entry->delete_new));
    return check_new(replay, entry, entry->pending_replacement_new);
}

/* What that place of the base has become; NULL for none. */
static struct base_mark *old_mark(const struct replay *replay, int64_t place)
{
    return place == JOURNAL_NONE ? NULL : &replay->marks[place];
}

static struct made *new_made(const struct replay *replay, int64_t id)
{
    return id == JOURNAL_NONE ? NULL : &replay->made[find_operation(replay, id)->made];
}

/* A private copy that can be marked; the original may be shared. */
static struct resource *replay_own(struct replay *replay, struct made *made)
{
    made->resource = resource_clone_shallow(replay->arena, made->resource);
    return made->resource;
}

/* --- entries --- */

static void replay_begin(struct replay *replay, const struct journal_entry *entry)
{
    struct operation *operation = get_operation(replay, entry->operation_id);

    operation->is_incomplete = true;
    operation->pending = entry->operation;
}

static void succeed(struct replay *replay, const struct journal_entry *entry)
{
    replay_complete(replay, entry->operation_id);
    if (entry->state)
        add_made(replay, entry->operation_id, entry->state);
    if (entry->remove_old != JOURNAL_NONE)
        old_mark(replay, entry->remove_old)->is_dropped = true;
    if (entry->remove_new != JOURNAL_NONE)
        new_made(replay, entry->remove_new)->is_dropped = true;
    if (entry->delete_old != JOURNAL_NONE)
        old_mark(replay, entry->delete_old)->is_delete = true;
    if (entry->delete_new != JOURNAL_NONE)
        replay_own(replay, new_made(replay, entry->delete_new))->is_delete = true;
    if (entry->pending_replacement_old != JOURNAL_NONE)
        old_mark(replay, entry->pending_replacement_old)->is_pending_replacement = true;
    if (entry->pending_replacement_new != JOURNAL_NONE)
        replay_own(replay, new_made(replay, entry->pending_replacement_new))
            ->is_pending_replacement = true;
    replay->has_persisted_refresh |= entry->is_refresh;
}

/* Puts the state in the place of what is there. */
static void replay_replace(struct replay *replay, const struct journal_entry *entry)
{
    if (entry->remove_old != JOURNAL_NONE)
        old_mark(replay, entry->remove_old)->replacement = entry->state;
    if (entry->remove_new != JOURNAL_NONE)
        new_made(replay, entry->remove_new)->resource = entry->state;
}

static void replay_refresh(struct replay *replay, const struct journal_entry *entry)
{
    replay_complete(replay, entry->operation_id);
    replay->has_refresh = true;
    if (entry->state) {
        replay_replace(replay, entry);
        return;
    }
    if (entry->remove_old != JOURNAL_NONE)
        old_mark(replay, entry->remove_old)->is_dropped = true;
    if (entry->remove_new != JOURNAL_NONE)
        new_made(replay, entry->remove_new)->is_dropped = true;
}

static void replay_add_extension(struct replay *replay, const struct extension *extension)
{
    if (replay->extension_len == replay->extension_capacity) {
        size_t capacity = replay->extension_capacity ? 2 * replay->extension_capacity : 8;
        struct extension *extensions = ARENA_ARRAY(replay->arena, struct extension, capacity);
        if (replay->extension_len)
            memcpy(extensions, replay->extensions, replay->extension_len * sizeof(*extensions));
        replay->extensions = extensions;
        replay->extension_capacity = capacity;
    }
    replay->extensions[replay->extension_len++] = *extension;
}

static void collect_all_extensions(struct replay *replay, struct snapshot *out);

/* From here on the state so far is the base. What belonged to an extension may be gone, and the
 * program go on with it: test_plan_extension.c:
 * the_state_has_an_extension_that_is_used_again_when_all_that_belonged_to_it_is_gone. */
static fallible rebuild(struct replay *replay)
{
    struct snapshot snapshot;
    bool closes = replay->made_len > 0;

    replay->has_refresh = true; /* even if there was nothing to read */
    TRY(replay_snapshot(replay, &snapshot));
    collect_all_extensions(replay, &snapshot);
    start_over(replay, &snapshot);
    replay->is_closed = closes;
    return NULL;
}

bool replay_has_in_base(const struct replay *replay, const struct resource *resource)
{
    size_t place = resource->base_index_plus_one - 1;

    return resource->base_index_plus_one && !resource->operation_id
           && place < replay->base.resource_count && replay->base.resources[place] == resource
           && !replay->marks[place].replacement && !replay->marks[place].is_delete
           && !replay->marks[place].is_pending_replacement;
}

/* The state that an entry names by its place. */
static struct resource *state_of_base(struct replay *replay, int64_t place)
{
    const struct base_mark *mark = &replay->marks[place];
    struct resource *state = resource_clone_shallow(
        replay->arena, mark->replacement ? mark->replacement : replay->base.resources[place]);

    state->base_index_plus_one = 0;
    return state;
}

static fallible replay_entry(struct replay *replay, const struct journal_entry *entry);

fallible replay_apply(struct replay *replay, const struct journal_entry *entry)
{
    if (entry->state || entry->state_old == JOURNAL_NONE)
        return replay_entry(replay, entry);
    TRY(error_wrap(check_old(replay, entry->state_old), "journal entry %lld",
                   (long long)entry->sequence_id));
    struct journal_entry whole = *entry;
    whole.state = state_of_base(replay, entry->state_old);
    return replay_entry(replay, &whole);
}

static fallible replay_entry(struct replay *replay, const struct journal_entry *entry)
{
    if (replay->is_closed)
        return error_new(
            ERROR_INVALID,
            "journal entry %lld: an entry behind a base that was rebuilt from new resources",
            (long long)entry->sequence_id);
    if (entry->kind != JOURNAL_FAILURE)
        TRY(error_wrap(check_places(replay, entry), "journal entry %lld",
                       (long long)entry->sequence_id));
    replay->base.had_byte_strings |= entry->requires_byte_string;
    replay->drops_pending_creates |= entry->drops_pending_creates;
    switch (entry->kind) {
    case JOURNAL_BEGIN: replay_begin(replay, entry); return NULL;
    case JOURNAL_SUCCESS: succeed(replay, entry); return NULL;
    case JOURNAL_FAILURE: replay_complete(replay, entry->operation_id); return NULL;
    case JOURNAL_REFRESH_SUCCESS: replay_refresh(replay, entry); return NULL;
    case JOURNAL_OUTPUTS:
        if (entry->state)
            replay_replace(replay, entry);
        return NULL;
    case JOURNAL_WRITE: start_over(replay, entry->new_snapshot); return NULL;
    case JOURNAL_SECRETS_MANAGER:
        replay->base.secrets_type = entry->secrets_type;
        replay->base.secrets_state = entry->secrets_state;
        return NULL;
    case JOURNAL_REBUILT_BASE:
        if (!entry->is_refresh)
            return rebuild(replay);
        replay->has_refreshed_rest = true;
        return NULL;
    case JOURNAL_EXTENSION: replay_add_extension(replay, entry->extension); return NULL;
    case JOURNAL_SNIPPETS: replay->base.snippets = entry->snippets; return NULL;
    }
    return NULL;
}

/* --- the snapshot --- */

static bool resource_is_gone(const struct resource *resource)
{
    return resource->is_delete && resource->is_pending_replacement;
}

/* NULL: by its marks it is gone. */
static struct resource *marked(struct replay *replay, struct resource *resource,
                               const struct base_mark *mark)
{
    if (mark->replacement)
        return mark->replacement;
    if (!mark->is_delete && !mark->is_pending_replacement)
        return resource;
    resource = resource_clone_shallow(replay->arena, resource);
    resource->is_delete |= mark->is_delete;
    resource->is_pending_replacement |= mark->is_pending_replacement;
    return resource_is_gone(resource) ? NULL : resource;
}

static str keep_link(void *context, struct link link)
{
    (void)context;
    return link.urn;
}

/* How many of them were made since the base. */
static size_t collect_resources(struct replay *replay, struct snapshot *out)
{
    const struct snapshot *base = &replay->base;

    out->resource_count = 0;
    out->resources =
        ARENA_ARRAY(replay->arena, struct resource *, replay->made_len + base->resource_count);
    for (size_t i = 0; i < replay->made_len; i++)
        if (!replay->made[i].is_dropped && !resource_is_gone(replay->made[i].resource))
            out->resources[out->resource_count++] = replay->made[i].resource;
    size_t made = out->resource_count;
    for (size_t i = 0; i < base->resource_count; i++) {
        if (replay->marks[i].is_dropped)
            continue;
        struct resource *kept = marked(replay, base->resources[i], &replay->marks[i]);
        if (!kept)
            continue;
        if (replay->has_refreshed_rest) /* all lose the properties without dependencies */
            kept = resource_rewrite_links(replay->arena, kept, keep_link, NULL, true);
        out->resources[out->resource_count++] = kept;
    }
    return made;
}

static void collect_pending(struct replay *replay, struct snapshot *out)
{
    const struct snapshot *base = &replay->base;
    struct pending_operation *pending = ARENA_ARRAY(replay->arena, struct pending_operation,
                                                    replay->operations.len + base->pending_count);
    size_t len = 0;

    for (size_t i = 0; i < replay->operations.len; i++) {
        const struct operation *operation = replay->operations.entries[i].value;
        if (operation->is_incomplete && operation->pending)
            pending[len++] = *operation->pending;
    }
    for (size_t i = 0; i < base->pending_count && !replay->drops_pending_creates; i++)
        if (base->pending[i].kind == PENDING_CREATING)
            pending[len++] = base->pending[i];
    out->pending = pending;
    out->pending_count = len;
}

static const struct extension *extension_at(const struct replay *replay, size_t place)
{
    size_t count = replay->base.extension_count;

    return place < count ? &replay->base.extensions[place] : &replay->extensions[place - count];
}

/* Those of base and journal that are wanted, each once. */
static void collect_extensions(struct replay *replay, struct map *wanted, struct snapshot *out)
{
    size_t total = replay->base.extension_count + replay->extension_len, len = 0;
    struct extension *extensions = ARENA_ARRAY(replay->arena, struct extension, total);

    for (size_t i = 0; i < total; i++)
        if (map_remove(wanted, extension_at(replay, i)->ref))
            extensions[len++] = *extension_at(replay, i);
    out->extensions = extensions;
    out->extension_count = len;
}

/* Those that some resource refers to. */
static void collect_used_extensions(struct replay *replay, struct snapshot *out)
{
    CLEANUP(map_release) struct map wanted = { 0 };

    for (size_t i = 0; i < out->resource_count; i++)
        if (out->resources[i]->options.extension_ref.len)
            map_put(&wanted, out->resources[i]->options.extension_ref, replay);
    collect_extensions(replay, &wanted, out);
}

static void collect_all_extensions(struct replay *replay, struct snapshot *out)
{
    CLEANUP(map_release) struct map wanted = { 0 };

    for (size_t i = 0; i < replay->base.extension_count + replay->extension_len; i++)
        map_put(&wanted, extension_at(replay, i)->ref, replay);
    collect_extensions(replay, &wanted, out);
}

fallible replay_snapshot(struct replay *replay, struct snapshot *out)
{
    struct snapshot snapshot = replay->base;

    size_t made = collect_resources(replay, &snapshot);
    collect_pending(replay, &snapshot);
    collect_used_extensions(replay, &snapshot);
    if (replay->has_persisted_refresh)
        error_ignore(snapshot_sort(replay->arena, &snapshot),
                     "whoever verifies the snapshot tells of circles");
    if (replay->has_refresh)
        snapshot_drop_dangling(replay->arena, &snapshot, NULL, made);
    else if (replay->has_persisted_refresh)
        snapshot_drop_dangling(replay->arena, &snapshot, &replay->base, SIZE_MAX);
    TRY(snapshot_normalize_aliases(replay->arena, &snapshot));
    *out = snapshot;
    return NULL;
}
