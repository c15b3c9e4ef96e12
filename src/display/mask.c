/* mask.c — finds secrets in text and in values. */
#include "display/mask.h"

#include "base/json.h"
#include "base/strbuf.h"

#include <strings.h>

static bool is_worth_hiding(str secret)
{
    enum { SHORTEST = 3 };

    if (secret.len < SHORTEST)
        return false;
    return !(secret.len == 4 && strncasecmp(secret.ptr, "true", 4) == 0)
           && !(secret.len == 5 && strncasecmp(secret.ptr, "false", 5) == 0);
}

struct mask mask_new(struct arena *arena, struct secret_list secrets)
{
    struct secret *texts = ARENA_ARRAY(arena, struct secret, 2 * secrets.len);
    struct mask mask = { texts, 0 };

    for (size_t i = 0; i < secrets.len; i++) {
        CLEANUP(strbuf_release) struct strbuf quoted = { 0 };
        str text = secret_reveal(secrets.items[i]);
        if (!is_worth_hiding(text))
            continue;
        texts[mask.len++] = secrets.items[i];
        json_format_string(&quoted, text, true);
        str inside = str_slice(strbuf_str(&quoted), 1, quoted.len - 1);
        if (!str_equal(inside, text))
            texts[mask.len++] = secret_hide(arena_copy(arena, inside));
    }
    return mask;
}

/* How long the longest is, or 0: where one secret begins with another, nothing of it may be left
 * over. */
static size_t secret_at(struct mask mask, str text)
{
    size_t longest = 0;

    for (size_t i = 0; i < mask.len; i++) {
        str secret = secret_reveal(mask.texts[i]);
        if (secret.len > longest && text.len && text.ptr[0] == secret.ptr[0]
            && str_starts_with(text, secret))
            longest = secret.len;
    }
    return longest;
}

str mask_text(struct mask mask, struct arena *arena, str text)
{
    CLEANUP(strbuf_release) struct strbuf out = { 0 };
    size_t copied = 0; /* everything before is in `out` */

    for (size_t i = 0; mask.len && i < text.len;) {
        size_t hidden = secret_at(mask, str_slice(text, i, text.len));
        if (!hidden) {
            i++;
            continue;
        }
        strbuf_add(&out, str_slice(text, copied, i));
        strbuf_add(&out, STR("[secret]"));
        i += hidden;
        copied = i;
    }
    if (copied == 0)
        return text;
    strbuf_add(&out, str_slice(text, copied, text.len));
    return arena_copy(arena, strbuf_str(&out));
}

static struct value mask_asset(struct mask mask, struct arena *arena, struct value value)
{
    const struct asset *asset = value.asset;
    struct asset *shown = ARENA_NEW(arena, struct asset);

    *shown = *asset;
    if (asset->has_text)
        shown->text = STR("<contents elided>");
    if (asset->has_members)
        shown->members = mask_value(mask, arena, asset->members);
    value.asset = shown;
    return value;
}

static enum rule_verdict mask_rule(void *mask, struct arena *arena, struct value *value)
{
    switch ((enum value_kind)value->kind) {
    case VALUE_STRING: {
        str text = value_text(*value), masked = mask_text(*(struct mask *)mask, arena, text);
        if (masked.ptr != text.ptr)
            *value = value_string(masked);
        return RULE_LEFT;
    }
    case VALUE_ASSET:
    case VALUE_ARCHIVE: *value = mask_asset(*(struct mask *)mask, arena, *value); return RULE_LEFT;
    case VALUE_OUTPUT:
        if (value->output->is_secret)
            *value = value_secret(arena, value_null());
        else
            *value =
                value->output->is_known ? value->output->element : value_computed(UNKNOWN_STRING);
        return RULE_REPLACED;
    case VALUE_ARRAY:
    case VALUE_OBJECT: return RULE_KEPT;
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_NUMBER:
    case VALUE_SECRET:
    case VALUE_COMPUTED:
    case VALUE_REFERENCE: return RULE_LEFT;
    }
    return RULE_LEFT;
}

struct value mask_value(struct mask mask, struct arena *arena, struct value value)
{
    return value_rewrite(arena, mask_rule, &mask, value);
}
