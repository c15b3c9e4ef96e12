/* config_definition.c — the configuration of a stack as the definition of an environment of the
 * hosted service. */
#include "project/config.h"

#include "base/base64.h"
#include "base/strbuf.h"
#include "base/uuid.h"
#include "base/yaml.h"
#include "model/value_ops.h"
#include "project/config_value.h"

#include <zlib.h>

/* What stands for a secret in a definition that is only looked at has the form of one that was
 * sealed: a mark, a version, bytes, a checksum. Nobody opens it, so the bytes are random: not even
 * the length of the secret is told. */
static str definition_stand_in(struct arena *arena)
{
    enum { RANDOM_SIZE = 48 };
    CLEANUP(strbuf_release) struct strbuf envelope = { 0 }, text = { 0 };
    char bytes[RANDOM_SIZE];

    random_bytes(bytes, sizeof(bytes));
    strbuf_add(&envelope, (str){ "escx\0\0\0\1", 8 });
    strbuf_add(&envelope, (str){ bytes, sizeof(bytes) });
    uLong sum = crc32_z(0, (const Bytef *)envelope.ptr, envelope.len);
    for (int shift = 24; shift >= 0; shift -= 8)
        strbuf_add_char(&envelope, (char)(sum >> shift));
    base64_encode(&text, strbuf_str(&envelope));
    return arena_copy(arena, strbuf_str(&text));
}

static struct value definition_call(struct arena *arena, str name, struct value argument)
{
    return value_object(arena, &(struct member){ name, argument }, 1);
}

static struct value definition_secret(struct arena *arena, struct value element, bool hides_secrets)
{
    struct value argument =
        hides_secrets
            ? definition_call(arena, STR("ciphertext"), value_string(definition_stand_in(arena)))
            : value_string(secret_reveal(config_text(arena, element)));

    return definition_call(arena, STR("fn::secret"), argument);
}

/* In a definition "${x}" refers to something, and "$$" is a dollar. */
static struct value definition_text(struct arena *arena, struct value value)
{
    CLEANUP(strbuf_release) struct strbuf escaped = { 0 };
    str text = value_text(value);

    if (str_find_char(text, '$') == SIZE_MAX)
        return value;
    for (size_t i = 0; i < text.len; i++) {
        char next = i + 1 < text.len ? text.ptr[i + 1] : '\0';
        if (text.ptr[i] == '$' && (next == '$' || next == '{'))
            strbuf_add_char(&escaped, '$');
        strbuf_add_char(&escaped, text.ptr[i]);
    }
    return value_string(arena_copy(arena, strbuf_str(&escaped)));
}

static enum rule_verdict definition_rule(void *hides_secrets, struct arena *arena,
                                         struct value *value)
{
    if (value->kind != VALUE_SECRET && value->kind != VALUE_STRING)
        return RULE_KEPT;
    *value = value->kind == VALUE_STRING
                 ? definition_text(arena, *value)
                 : definition_secret(arena, value->secret->element, *(const bool *)hides_secrets);
    return RULE_LEFT;
}

/* A plain text that looks like a number or a boolean becomes one; whole numbers keep all digits. */
str config_definition(struct arena *arena, const struct config *config,
                      const struct value *unsealed, bool hides_secrets)
{
    struct member *members = ARENA_ARRAY(arena, struct member, config->len);

    for (size_t i = 0; i < config->len; i++)
        members[i] = (struct member){ config_key_format(arena, config->items[i].key),
                                      value_rewrite(arena, definition_rule, &hides_secrets,
                                                    config_coerce(unsealed[i])) };
    struct value values =
        definition_call(arena, STR("pulumiConfig"), value_object(arena, members, config->len));
    return yaml_write(arena, config_to_yaml(arena, definition_call(arena, STR("values"), values)));
}
