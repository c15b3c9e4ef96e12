/* key_service.c — the table of key services, and what they have in common. */
#include "secrets/key_service.h"

#include "base/base64.h"

#define KEY_SERVICE(id) extern const struct key_service key_service_##id;
#include "secrets/key_services.def"
#undef KEY_SERVICE

static const struct key_service *const key_services[] = {
#define KEY_SERVICE(id) &key_service_##id,
#include "secrets/key_services.def"
#undef KEY_SERVICE
};

const struct key_service *key_service_find(str url)
{
    str scheme, rest;

    if (!str_cut(url, STR("://"), &scheme, &rest))
        return NULL;
    for (size_t i = 0; i < sizeof(key_services) / sizeof(*key_services); i++)
        if (str_equal(scheme, str_from(key_services[i]->scheme)))
            return key_services[i];
    return NULL;
}

str key_service_body(struct arena *arena, const char *key, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };

    strbuf_reserve(&text, bytes.len * 2 + 64); /* it does not move, so that it can be cleared */
    strbuf_printf(&text, "{\"%s\":\"", key);
    base64_encode(&text, bytes);
    strbuf_add(&text, STR("\"}"));
    str body = arena_copy(arena, strbuf_str(&text));
    explicit_bzero(text.ptr, text.len);
    return body;
}

fallible key_service_plain(struct arena *arena, str base64, struct secret *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    struct secret text = secret_hide(base64);
    bool is_good = base64_decode(&bytes, base64);

    secret_clear(&text);
    if (!is_good || bytes.len == 0)
        return error_new(ERROR_INVALID, "the key service answered without a key");
    *out = secret_hide(arena_copy(arena, strbuf_str(&bytes)));
    explicit_bzero(bytes.ptr, bytes.len);
    return NULL;
}
