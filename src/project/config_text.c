/* config_text.c — configuration as others want it: unsealed, as texts for programs, as inputs for
 * providers, as JSON for the history. */
#include "project/config.h"

#include "base/vec.h"
#include "model/value_json.h"
#include "model/value_ops.h"
#include "project/config_value.h"

#include <stdlib.h>

static bool text_is_sealed(struct value value)
{
    return value.kind == VALUE_SECRET && value.secret->is_opaque;
}

bool config_is_secret(struct value value)
{
    if (value.kind == VALUE_ARRAY || value.kind == VALUE_OBJECT) {
        bool result = false;
        for (uint32_t i = 0; i < value.len && !result; i++)
            result = config_is_secret(value.kind == VALUE_ARRAY ? value.items[i]
                                                                : value.members[i].value);
        return result;
    }
    return value.kind == VALUE_SECRET;
}

bool config_has_secret(const struct config *config)
{
    for (size_t i = 0; i < config->len; i++)
        if (config_is_secret(config->items[i].value))
            return true;
    return false;
}

/* --- rewriting the sealed texts of a value --- */

struct rewrite {
    struct arena *arena;
    struct crypter *from;
    struct crypter *to; /* NULL: leave them open */
};

static fallible rewrite_text(const struct rewrite *rewrite, struct value value, struct value *out)
{
    str plaintext, ciphertext;

    if (!rewrite->from)
        return error_new(ERROR_INVALID,
                         "the configuration has secrets but the stack has no secrets provider");
    TRY(rewrite->from->unseal(rewrite->from, value.secret->ciphertext, rewrite->arena, &plaintext));
    if (!rewrite->to) {
        *out = value_secret(rewrite->arena, value_string(plaintext));
        return NULL;
    }
    TRY(rewrite->to->seal(rewrite->to, plaintext, rewrite->arena, &ciphertext));
    *out = config_sealed(rewrite->arena, ciphertext);
    return NULL;
}

static fallible rewrite_value(const struct rewrite *rewrite, struct value value, struct value *out)
{
    if (text_is_sealed(value))
        return rewrite_text(rewrite, value, out);
    if (!config_is_secret(value)) {
        *out = value;
        return NULL;
    }
    if (value.kind == VALUE_ARRAY) {
        struct value *items = ARENA_ARRAY(rewrite->arena, struct value, value.len);
        for (uint32_t i = 0; i < value.len; i++)
            TRY(rewrite_value(rewrite, value.items[i], &items[i]));
        *out = value_array(rewrite->arena, items, value.len);
    } else if (value.kind == VALUE_OBJECT) {
        struct member *members = ARENA_ARRAY(rewrite->arena, struct member, value.len);
        for (uint32_t i = 0; i < value.len; i++) {
            members[i].key = value.members[i].key;
            TRY(rewrite_value(rewrite, value.members[i].value, &members[i].value));
        }
        *out = value_object(rewrite->arena, members, value.len);
    } else {
        *out = value;
    }
    return NULL;
}

fallible config_unseal(struct arena *arena, struct value value, struct crypter *crypter,
                       struct value *out)
{
    struct rewrite rewrite = { .arena = arena, .from = crypter };
    return rewrite_value(&rewrite, value, out);
}

fallible config_reseal(struct arena *arena, struct config *config, struct crypter *from,
                       struct crypter *to)
{
    struct rewrite rewrite = { arena, from, to };
    struct value *values = ARENA_ARRAY(arena, struct value, config->len);

    TRY(config_unseal_ahead(config, from));
    /* All or nothing: a value that cannot be opened leaves the others as they are. */
    for (size_t i = 0; i < config->len; i++)
        TRY(rewrite_value(&rewrite, config->items[i].value, &values[i]));
    for (size_t i = 0; i < config->len; i++)
        config->items[i].value = values[i];
    return NULL;
}

/* --- texts --- */

static enum rule_verdict blind_secret(void *context, struct arena *arena, struct value *value)
{
    (void)context, (void)arena;
    if (value->kind != VALUE_SECRET)
        return RULE_KEPT;
    *value = value_string(STR("[secret]"));
    return RULE_LEFT;
}

struct value config_blind(struct arena *arena, struct value value)
{
    return value_rewrite(arena, blind_secret, NULL, value);
}

struct secret config_text(struct arena *arena, struct value unsealed)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    struct json_writer writer = { .out = &text, .escapes_html = true };

    if (unsealed.kind == VALUE_SECRET && !unsealed.secret->is_opaque)
        unsealed = unsealed.secret->element;
    if (unsealed.kind == VALUE_STRING)
        return secret_hide(value_text(unsealed));
    value_write(&writer, unsealed, SECRET_BARE);
    return secret_hide(arena_copy(arena, strbuf_str(&text)));
}

fallible config_unseal_ahead(const struct config *config, struct crypter *crypter)
{
    struct foresight foresight = { 0 };

    if (!crypter || !crypter->unseal_ahead)
        return NULL;
    for (size_t i = 0; i < config->len; i++)
        value_foresee_unseal(config->items[i].value, &foresight);
    return crypter_unseal_ahead(crypter, &foresight);
}

fallible config_decrypt(struct arena *arena, const struct config *config, struct crypter *crypter,
                        struct config_facts *out)
{
    struct config_fact *facts = ARENA_ARRAY(arena, struct config_fact, config->len);

    TRY(config_unseal_ahead(config, crypter));
    for (size_t i = 0; i < config->len; i++) {
        struct value open;
        TRY(config_unseal(arena, config->items[i].value, crypter, &open));
        facts[i] = (struct config_fact){
            .key = config_key_format(arena, config->items[i].key),
            .text = config_text(arena, open),
            .shown = secret_reveal(config_text(arena, config_blind(arena, config->items[i].value))),
            .is_secret = config_is_secret(config->items[i].value),
        };
    }
    *out = (struct config_facts){ facts, config->len };
    return NULL;
}

/* --- JSON --- */

static void config_write_value(struct json_writer *writer, struct value value)
{
    if (text_is_sealed(value)) {
        json_begin_object(writer);
        json_key(writer, STR("secure"));
        json_string(writer, value.secret->ciphertext);
        json_end_object(writer);
    } else if (value.kind == VALUE_ARRAY) {
        json_begin_array(writer);
        for (uint32_t i = 0; i < value.len; i++)
            config_write_value(writer, value.items[i]);
        json_end_array(writer);
    } else if (value.kind == VALUE_OBJECT) {
        json_begin_object(writer);
        for (uint32_t i = 0; i < value.len; i++) {
            json_key(writer, value.members[i].key);
            config_write_value(writer, value.members[i].value);
        }
        json_end_object(writer);
    } else if (value.kind == VALUE_NUMBER) {
        CLEANUP(arena_release) struct arena scratch = { 0 };
        json_raw(writer, config_scalar_text(&scratch, value));
    } else {
        value_write(writer, value, SECRET_BARE);
    }
}

void config_write_json(struct json_writer *writer, const struct config *config)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct member *members = ARENA_ARRAY(&scratch, struct member, config->len);

    for (size_t i = 0; i < config->len; i++)
        members[i] = (struct member){ config_key_format(&scratch, config->items[i].key),
                                      config->items[i].value };
    /* Sorts by the whole key, which is not quite the order of the entries. */
    config_write_value(writer, value_object(&scratch, members, config->len));
}

struct config_entries {
    VEC(struct config_entry);
};

static fallible config_read_member(struct json_reader *reader, str text, void *entries_)
{
    struct config_entries *entries = entries_;
    struct config_key key;
    struct value value;

    TRY(config_key_parse(reader->arena, text, STR(""), false, &key));
    TRY(value_read_exact(reader, &value));
    vec_add(entries, ((struct config_entry){ key, config_from_plain(reader->arena, value, true) }));
    return NULL;
}

fallible config_read_json(struct json_reader *reader, struct config *out)
{
    struct config_entries entries = { 0 };
    struct error *failure = json_read_members(reader, config_read_member, &entries);

    if (!failure)
        *out = config_new(reader->arena, entries.items, entries.len);
    vec_release(&entries);
    return failure;
}
