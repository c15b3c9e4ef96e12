/* service_crypter.c — seals and unseals through the service, many texts a request. */
#include "service/service_crypter.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "fiber/fiber.h"
#include "fiber/sync.h"
#include "service/service_account.h"

#include <stdlib.h>

enum { BATCH = 1000, ANSWER_MAX = 256 << 20 };

enum direction { SEALING, UNSEALING, DIRECTIONS };

/* One text that a fiber waits for. Its other half is in the cache once it `is_done`. */
struct wish {
    struct wish *next;
    str text;
    bool is_done;
    struct error *failure;
};

/* What goes in one direction: who waits, and what is known. */
struct lane {
    struct wish *first;
    struct wish **last; /* NULL: nobody waits */
    struct semaphore turn;
    struct map known; /* text → str */
};

struct service_crypter {
    struct crypter crypter; /* first: a crypter is its owner */
    struct arena arena;
    struct service *service;
    str path;
    bool forgets;
    bool has_capabilities;
    struct service_capabilities capabilities;
    struct lane lanes[DIRECTIONS];
    struct cancel *shield; /* a scope that nobody fires: many wait for one request */
};

str service_place_path(struct arena *arena, const struct service_place *place)
{
    return arena_concat(arena, STR("/api/stacks/"), service_escape(arena, place->organization),
                        STR("/"), service_escape(arena, place->project), STR("/"),
                        service_escape(arena, place->stack));
}

/* --- what is known --- */

static void lane_remember(struct service_crypter *crypter, enum direction direction, str text,
                          str other)
{
    struct map *known = &crypter->lanes[direction].known;
    str *kept = ARENA_NEW(&crypter->arena, str);

    *kept = arena_copy(&crypter->arena, other);
    map_put(known, arena_copy(&crypter->arena, text), kept);
}

static void crypter_remember(struct service_crypter *crypter, str plaintext, str ciphertext)
{
    lane_remember(crypter, UNSEALING, ciphertext, plaintext);
    lane_remember(crypter, SEALING, plaintext, ciphertext);
}

/* --- requests --- */

static str base64_of(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    base64_encode(&text, bytes);
    return arena_copy(arena, strbuf_str(&text));
}

/* Plaintexts travel as base64, ciphertexts are base64. */
static str wire_text(struct arena *arena, enum direction direction, str text)
{
    return direction == SEALING ? base64_of(arena, text) : text;
}

static fallible plain_text(struct arena *arena, str wire, str *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!base64_decode(&bytes, wire))
        return error_new(ERROR_INVALID, "the service gave a secret that is not base64");
    *out = arena_copy(arena, strbuf_str(&bytes));
    return NULL;
}

static fallible keep_answer(struct service_crypter *crypter, struct arena *arena,
                            enum direction direction, str text, str answer)
{
    str plaintext;

    if (!answer.len && direction == SEALING)
        return error_new(ERROR_INVALID, "the service gave no ciphertext");
    if (direction == SEALING) {
        crypter_remember(crypter, text, answer);
        return NULL;
    }
    TRY(plain_text(arena, answer, &plaintext));
    crypter_remember(crypter, plaintext, text);
    return NULL;
}

static fallible ask_for_one(struct service_crypter *crypter, struct arena *arena,
                            enum direction direction, str text)
{
    static const char *const words[DIRECTIONS][3] = {
        { "/encrypt", "plaintext", "ciphertext" },
        { "/decrypt", "ciphertext", "plaintext" },
    };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    str answer, other;

    json_begin_object(&writer);
    json_key(&writer, str_from(words[direction][1]));
    json_string(&writer, wire_text(arena, direction, text));
    json_end_object(&writer);
    const struct service_call call = {
        .method = "POST",
        .path = arena_concat(arena, crypter->path, str_from(words[direction][0])),
        .body = strbuf_str(&body),
        .may_repeat = true,
        .limit = ANSWER_MAX,
    };
    TRY(service_ask(crypter->service, &call, arena, &answer));
    TRY(service_text_read(arena, answer, words[direction][2], &other));
    return keep_answer(crypter, arena, direction, text, other);
}

static fallible keep_sealed(struct service_crypter *crypter, struct arena *arena, str answer,
                            const struct strs *texts)
{
    struct strs others;

    TRY(service_texts_read(arena, answer, "ciphertexts", &others));
    if (others.len != texts->len)
        return error_new(ERROR_INVALID, "the service gave %zu ciphertexts for %zu secrets",
                         others.len, texts->len);
    for (size_t i = 0; i < texts->len; i++)
        TRY(keep_answer(crypter, arena, SEALING, texts->items[i], others.items[i]));
    return NULL;
}

static fallible keep_unsealed(struct service_crypter *crypter, struct arena *arena, str answer,
                              const struct strs *texts)
{
    CLEANUP(map_release) struct map found = { 0 };
    struct pairs others;

    TRY(service_pairs_read(arena, answer, "plaintexts", &others));
    for (size_t i = 0; i < others.len; i++)
        map_put(&found, others.items[i].key, (void *)(uintptr_t)&others.items[i].value);
    for (size_t i = 0; i < texts->len; i++) {
        const str *other = map_find(&found, texts->items[i]);
        if (!other)
            return error_new(ERROR_INVALID, "the service did not decrypt one of %zu secrets",
                             texts->len);
        TRY(keep_answer(crypter, arena, UNSEALING, texts->items[i], *other));
    }
    return NULL;
}

static fallible ask_for_batch(struct service_crypter *crypter, struct arena *arena,
                              enum direction direction, const struct strs *texts)
{
    static const char *const words[DIRECTIONS][2] = { { "/batch-encrypt", "plaintexts" },
                                                      { "/batch-decrypt", "ciphertexts" } };
    CLEANUP(strbuf_release) struct strbuf body = { 0 };
    struct json_writer writer = { .out = &body };
    str answer;

    json_begin_object(&writer);
    json_key(&writer, str_from(words[direction][1]));
    json_begin_array(&writer);
    for (size_t i = 0; i < texts->len; i++)
        json_string(&writer, wire_text(arena, direction, texts->items[i]));
    json_end_array(&writer);
    json_end_object(&writer);
    const struct service_call call = {
        .method = "POST",
        .path = arena_concat(arena, crypter->path, str_from(words[direction][0])),
        .body = strbuf_str(&body),
        .is_compressed = true,
        .may_repeat = true,
        .limit = ANSWER_MAX,
    };
    TRY(service_ask(crypter->service, &call, arena, &answer));
    return direction == SEALING ? keep_sealed(crypter, arena, answer, texts)
                                : keep_unsealed(crypter, arena, answer, texts);
}

static fallible can_batch(struct service_crypter *crypter, struct arena *arena,
                          enum direction direction, bool *out)
{
    *out = true;
    if (direction == UNSEALING)
        return NULL;
    if (!crypter->has_capabilities)
        TRY(service_capabilities(crypter->service, arena, &crypter->capabilities));
    crypter->has_capabilities = true;
    *out = crypter->capabilities.encrypts_batches;
    return NULL;
}

static fallible ask_for_all(struct service_crypter *crypter, enum direction direction,
                            const struct strs *texts)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    bool batches = false;

    if (texts->len > 1)
        TRY(can_batch(crypter, &scratch, direction, &batches));
    if (batches)
        return ask_for_batch(crypter, &scratch, direction, texts);
    for (size_t i = 0; i < texts->len; i++)
        TRY(ask_for_one(crypter, &scratch, direction, texts->items[i]));
    return NULL;
}

/* --- fibers that wait --- */

static size_t lane_take(struct lane *lane, struct wish **out)
{
    size_t count = 0;

    while (lane->first && count < BATCH) {
        out[count] = lane->first;
        lane->first = lane->first->next;
        count++;
    }
    if (!lane->first)
        lane->last = NULL;
    return count;
}

static void lane_serve(struct service_crypter *crypter, enum direction direction)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct wish **wishes = ARENA_ARRAY(&scratch, struct wish *, BATCH);
    str *texts = ARENA_ARRAY(&scratch, str, BATCH);
    size_t count = lane_take(&crypter->lanes[direction], wishes);

    for (size_t i = 0; i < count; i++)
        texts[i] = wishes[i]->text;
    struct error *failure = ask_for_all(crypter, direction, &(const struct strs){ texts, count });
    for (size_t i = 0; i < count; i++) {
        wishes[i]->is_done = true;
        if (failure)
            wishes[i]->failure = error_with_exit_code(
                error_new(error_kind(failure), STR_FMT, STR_ARG(error_message(failure))),
                error_exit_code(failure));
    }
    error_free(failure);
}

/* Who has the turn asks for all that wait; the others find that it was done for them. */
static fallible lane_wait(struct service_crypter *crypter, enum direction direction, str text)
{
    struct lane *lane = &crypter->lanes[direction];
    struct wish wish = { .text = text };
    struct cancel *former = cancel_enter(crypter->shield);

    *(lane->last ? lane->last : &lane->first) = &wish;
    lane->last = &wish.next;
    semaphore_wait_uncancelable(&lane->turn);
    while (!wish.is_done)
        lane_serve(crypter, direction);
    semaphore_post(&lane->turn);
    cancel_enter(former);
    return wish.failure;
}

static fallible crypter_translate(struct service_crypter *crypter, enum direction direction,
                                  str text, struct arena *arena, str *out)
{
    struct map *known = &crypter->lanes[direction].known;
    bool is_fresh = direction == SEALING && crypter->forgets;
    const str *other = is_fresh ? NULL : map_find(known, text);

    if (!other) {
        TRY(lane_wait(crypter, direction, text));
        other = map_find(known, text);
    }
    *out = arena_copy(arena, *other);
    return NULL;
}

static struct service_crypter *crypter_of(struct crypter *crypter)
{
    return (struct service_crypter *)(void *)crypter;
}

static struct error *service_crypter_seal(struct crypter *crypter, str plaintext,
                                          struct arena *arena, str *ciphertext)
{
    return error_wrap(crypter_translate(crypter_of(crypter), SEALING, plaintext, arena, ciphertext),
                      "failed to encrypt");
}

static struct error *service_crypter_unseal(struct crypter *crypter, str ciphertext,
                                            struct arena *arena, str *plaintext)
{
    return error_wrap(
        crypter_translate(crypter_of(crypter), UNSEALING, ciphertext, arena, plaintext),
        "failed to decrypt");
}

/* --- ahead --- */

static fallible crypter_ask_ahead(struct service_crypter *crypter, enum direction direction,
                                  struct strs texts)
{
    CLEANUP(map_release) struct map wanted = { 0 };
    str *unknown = ARENA_ARRAY(&crypter->arena, str, texts.len);
    size_t len = 0;

    for (size_t i = 0; i < texts.len; i++) {
        if (map_has(&crypter->lanes[direction].known, texts.items[i])
            || map_has(&wanted, texts.items[i]))
            continue;
        map_put(&wanted, texts.items[i], unknown);
        unknown[len++] = texts.items[i];
    }
    for (size_t i = 0; i < len; i += BATCH) {
        size_t count = len - i < BATCH ? len - i : BATCH;
        TRY(ask_for_all(crypter, direction, &(const struct strs){ unknown + i, count }));
    }
    return NULL;
}

static struct error *service_crypter_seal_ahead(struct crypter *crypter, struct strs plaintexts)
{
    return crypter_of(crypter)->forgets
               ? NULL
               : error_wrap(crypter_ask_ahead(crypter_of(crypter), SEALING, plaintexts),
                            "failed to encrypt");
}

static struct error *service_crypter_unseal_ahead(struct crypter *crypter, struct strs ciphertexts)
{
    return error_wrap(crypter_ask_ahead(crypter_of(crypter), UNSEALING, ciphertexts),
                      "failed to decrypt");
}

/* --- open and close --- */

struct service_crypter *service_crypter_open(struct service *service,
                                             const struct service_place *place, bool forgets)
{
    struct service_crypter *crypter = memory_zalloc(sizeof(*crypter));

    crypter->crypter = (struct crypter){
        .seal = service_crypter_seal,
        .unseal = service_crypter_unseal,
        .seal_ahead = service_crypter_seal_ahead,
        .unseal_ahead = service_crypter_unseal_ahead,
    };
    crypter->service = service;
    crypter->forgets = forgets;
    crypter->path = service_place_path(&crypter->arena, place);
    crypter->lanes[SEALING].turn.available = 1;
    crypter->lanes[UNSEALING].turn.available = 1;
    crypter->shield = cancel_open(NULL);
    return crypter;
}

void service_crypter_close(struct service_crypter *owned)
{
    const struct map_entry *entry;

    if (!owned)
        return;
    for (size_t i = 0; map_next(&owned->lanes[UNSEALING].known, &i, &entry);) {
        struct secret plaintext = secret_hide(*(str *)entry->value);
        secret_clear(&plaintext);
    }
    for (size_t i = 0; map_next(&owned->lanes[SEALING].known, &i, &entry);) {
        struct secret plaintext = secret_hide(entry->key);
        secret_clear(&plaintext);
    }
    map_release(&owned->lanes[SEALING].known);
    map_release(&owned->lanes[UNSEALING].known);
    cancel_close(owned->shield);
    arena_release(&owned->arena);
    free(owned);
}

struct crypter *service_crypter_face(struct service_crypter *crypter)
{
    return &crypter->crypter;
}
