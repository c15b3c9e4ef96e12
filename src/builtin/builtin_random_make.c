/* builtin_random_make.c — how the results of package "random" are made. */
#include "builtin/builtin_random.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/hex.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/uuid.h"
#include "builtin/builtin_table.h"
#include "builtin/random_words.h"
#include "builtin/seeded.h"
#include "fiber/offload.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 20 };

/* --- where the numbers come from --- */

/* Without a seed, unpredictable numbers; with one, the same numbers each time. */
struct dice {
    struct seeded *seeded;
    uint64_t ahead[16]; /* asked of the system together */
    size_t left;
};

static struct dice dice_new(const struct random_call *call)
{
    str seed = builtin_text(call->inputs, "seed", STR(""));
    struct dice dice = { 0 };

    if (seed.len) {
        dice.seeded = ARENA_NEW(call->arena, struct seeded);
        seeded_init(dice.seeded, call->seeds, seed);
    }
    return dice;
}

static uint64_t dice_next(struct dice *dice)
{
    if (dice->left == 0) {
        random_bytes(dice->ahead, sizeof(dice->ahead));
        dice->left = sizeof(dice->ahead) / sizeof(dice->ahead[0]);
    }
    return dice->ahead[--dice->left];
}

/* Below `limit`, each as likely as the others. */
static uint64_t dice_below(struct dice *dice, uint64_t limit)
{
    uint64_t rest = UINT64_MAX - UINT64_MAX % limit;
    uint64_t value;

    if (dice->seeded)
        return seeded_below(dice->seeded, limit);
    do
        value = dice_next(dice);
    while (value >= rest);
    return value % limit;
}

static str make_bytes(struct arena *arena, size_t len)
{
    char *bytes = arena_alloc(arena, len);
    random_bytes(bytes, len);
    return (str){ bytes, len };
}

static str as_base64(struct arena *arena, str bytes)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    base64_encode(&text, bytes);
    return arena_copy(arena, strbuf_str(&text));
}

static fallible random_read_length(struct value inputs, const char *name, size_t *out)
{
    double length = builtin_number(inputs, name, 0);

    if (length < 1 || length > MOST_BYTES)
        return error_new(ERROR_INVALID, "%s must be between 1 and %d", name, MOST_BYTES);
    *out = (size_t)length;
    return NULL;
}

/* --- bytes --- */

fallible random_make_bytes(const struct random_call *call, struct random_result *out)
{
    size_t len;

    TRY(random_read_length(call->inputs, "length", &len));
    str bytes = make_bytes(call->arena, len);
    out->id = as_base64(call->arena, bytes);
    const struct member members[] = {
        { STR("base64"), value_string(out->id) },
        { STR("hex"), value_string(hex_encode(call->arena, bytes)) },
    };
    out->outputs = value_object(call->arena, members, 2);
    return NULL;
}

static str for_urls(struct arena *arena, str base64)
{
    char *text = arena_cstr(arena, base64);
    size_t len = base64.len;

    for (size_t i = 0; i < len; i++)
        text[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
    while (len && text[len - 1] == '=')
        len--;
    return (str){ text, len };
}

/* Long division by ten, most significant byte first. */
static str as_decimal(struct arena *arena, str bytes)
{
    unsigned char *rest = arena_copy_bytes(arena, bytes.ptr, bytes.len);
    size_t room = bytes.len * 3 + 1, at = room;
    char *digits = arena_alloc(arena, room + 1);
    bool is_zero;

    do {
        unsigned carry = 0;
        is_zero = true;
        for (size_t i = 0; i < bytes.len; i++) {
            carry = carry << 8 | rest[i];
            rest[i] = (unsigned char)(carry / 10);
            carry %= 10;
            is_zero = is_zero && rest[i] == 0;
        }
        digits[--at] = (char)('0' + carry);
    } while (!is_zero && at);
    return (str){ digits + at, room - at };
}

void random_describe_id(struct arena *arena, str bytes, str prefix, struct random_result *out)
{
    str base64 = as_base64(arena, bytes);

    out->id = for_urls(arena, base64);
    const struct member members[] = {
        { STR("b64Std"), value_string(arena_concat(arena, prefix, base64)) },
        { STR("b64Url"), value_string(arena_concat(arena, prefix, out->id)) },
        { STR("dec"), value_string(arena_concat(arena, prefix, as_decimal(arena, bytes))) },
        { STR("hex"), value_string(arena_concat(arena, prefix, hex_encode(arena, bytes))) },
    };
    out->outputs = value_object(arena, members, 4);
}

fallible random_make_id(const struct random_call *call, struct random_result *out)
{
    size_t len;

    TRY(random_read_length(call->inputs, "byteLength", &len));
    random_describe_id(call->arena, make_bytes(call->arena, len),
                       builtin_text(call->inputs, "prefix", STR("")), out);
    return NULL;
}

/* --- text --- */

struct letters {
    const char *flag;
    const char *minimum;
    str choice;
};

static void shuffle_text(struct dice *dice, char *text, size_t len)
{
    for (size_t i = len; i > 1; i--) {
        size_t k = (size_t)dice_below(dice, i);
        char kept = text[i - 1];
        text[i - 1] = text[k];
        text[k] = kept;
    }
}

static fallible make_text(struct arena *arena, struct value inputs, str *out)
{
    CLEANUP(strbuf_release) struct strbuf text = { 0 };
    CLEANUP(strbuf_release) struct strbuf all = { 0 };
    str special = builtin_text(inputs, "overrideSpecial", STR(""));
    const struct letters kinds[] = {
        { "upper", "minUpper", STR("ABCDEFGHIJKLMNOPQRSTUVWXYZ") },
        { "lower", "minLower", STR("abcdefghijklmnopqrstuvwxyz") },
        { "numeric", "minNumeric", STR("0123456789") },
        { "special", "minSpecial", special.len ? special : STR("!@#$%&*()-_=+[]{}<>:?") },
    };
    struct dice dice = { 0 };
    size_t len;

    TRY(random_read_length(inputs, "length", &len));
    for (size_t i = 0; i < 4; i++) {
        bool is_wanted = builtin_bool(inputs, kinds[i].flag,
                                      i == 2 ? builtin_bool(inputs, "number", true) : true);
        if (is_wanted)
            strbuf_add(&all, kinds[i].choice);
        for (double k = builtin_number(inputs, kinds[i].minimum, 0); k >= 1 && text.len < len; k--)
            strbuf_add_char(&text, kinds[i].choice.ptr[dice_below(&dice, kinds[i].choice.len)]);
    }
    if (all.len == 0)
        return error_new(ERROR_INVALID, "no characters to choose from");
    while (text.len < len)
        strbuf_add_char(&text, all.ptr[dice_below(&dice, all.len)]);
    shuffle_text(&dice, text.ptr, text.len);
    *out = arena_copy(arena, strbuf_str(&text));
    return NULL;
}

fallible random_make_string(const struct random_call *call, struct random_result *out)
{
    TRY(make_text(call->arena, call->inputs, &out->id));
    const struct member member = { STR("result"), value_string(out->id) };
    out->outputs = value_object(call->arena, &member, 1);
    return NULL;
}

/* --- passwords --- */

/* As much room as any library wants for struct crypt_data. */
enum { BCRYPT_BYTES = 72, CRYPT_DATA = 1 << 18 };

struct hash_work {
    char phrase[BCRYPT_BYTES + 1];
    char salt[64];
    char hash[64];
};

typedef char *crypt_function(const char *, const char *, void *);

/* The library is only loaded where a password is made. Distributions differ in its number; where
 * there is none, the C library may have the function. */
static crypt_function *crypt_find(void)
{
    static const char *const names[] = { "libcrypt.so.1", "libcrypt.so.2", NULL };
    crypt_function *found = NULL;

    for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !found; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library)
            *(void **)&found = dlsym(library, "crypt_r");
    }
    return found;
}

static void hash_on_thread(void *work_)
{
    struct hash_work *work = work_;
    crypt_function *crypt = crypt_find();
    void *data = memory_zalloc(CRYPT_DATA);
    const char *result = crypt ? crypt(work->phrase, work->salt, data) : NULL;

    if (result && result[0] == '$' && strlen(result) < sizeof(work->hash))
        memcpy(work->hash, result, strlen(result));
    explicit_bzero(data, CRYPT_DATA);
    free(data);
}

static fallible bcrypt(struct arena *arena, str password, str *out)
{
    static const char alphabet[] =
        "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    struct hash_work *work = arena_alloc(arena, sizeof(*work));
    struct dice dice = { 0 };
    size_t len = password.len < BCRYPT_BYTES ? password.len : BCRYPT_BYTES;

    memcpy(work->phrase, password.ptr, len);
    memcpy(work->salt, "$2a$10$", 7);
    for (size_t i = 0; i < 22; i++)
        work->salt[7 + i] = i < 21 ? alphabet[dice_below(&dice, 64)] : ".Oeu"[dice_below(&dice, 4)];
    offload(hash_on_thread, work);
    explicit_bzero(work->phrase, sizeof(work->phrase));
    if (!work->hash[0])
        return error_new(ERROR_OTHER, "bcrypt is not available on this machine: no library has "
                                      "crypt_r (libcrypt)");
    *out = arena_copy(arena, str_from(work->hash));
    return NULL;
}

fallible random_describe_password(struct arena *arena, str password, struct random_result *out)
{
    str hash;

    TRY(bcrypt(arena, password, &hash));
    const struct member members[] = { { STR("result"), value_string(password) },
                                      { STR("bcryptHash"), value_string(hash) } };
    out->id = STR("none");
    out->outputs = value_object(arena, members, 2);
    return NULL;
}

fallible random_make_password(const struct random_call *call, struct random_result *out)
{
    str password;

    TRY(make_text(call->arena, call->inputs, &password));
    return random_describe_password(call->arena, password, out);
}

/* --- names, numbers, lists --- */

#define PICK(dice, words) str_from((words)[dice_below((dice), sizeof(words) / sizeof((words)[0]))])

fallible random_make_pet(const struct random_call *call, struct random_result *out)
{
    CLEANUP(strbuf_release) struct strbuf name = { 0 };
    str separator = builtin_text(call->inputs, "separator", STR("-"));
    str prefix = builtin_text(call->inputs, "prefix", STR(""));
    double length = builtin_number(call->inputs, "length", 2);
    struct dice dice = { 0 };

    if (length < 1 || length > 1000)
        return error_new(ERROR_INVALID, "length must be between 1 and 1000");
    if (prefix.len) {
        strbuf_add(&name, prefix);
        strbuf_add(&name, separator);
    }
    for (int left = (int)length; left > 0; left--) {
        strbuf_add(&name, left == 1   ? PICK(&dice, animals)
                          : left == 2 ? PICK(&dice, adjectives)
                                      : PICK(&dice, adverbs));
        if (left > 1)
            strbuf_add(&name, separator);
    }
    out->id = arena_copy(call->arena, strbuf_str(&name));
    out->outputs = VALUE_EMPTY_OBJECT;
    return NULL;
}

void random_describe_integer(struct arena *arena, double number, struct random_result *out)
{
    const struct member member = { STR("result"), value_number(number) };

    out->id = arena_printf(arena, "%.0f", number);
    out->outputs = value_object(arena, &member, 1);
}

fallible random_make_integer(const struct random_call *call, struct random_result *out)
{
    double min = builtin_number(call->inputs, "min", 0),
           max = builtin_number(call->inputs, "max", 0);
    struct dice dice = dice_new(call);

    if (max < min || max - min >= 0x1p53)
        return error_new(ERROR_INVALID, "min must not be above max, nor further from it than 2^53");
    random_describe_integer(call->arena, min + (double)dice_below(&dice, (uint64_t)(max - min) + 1),
                            out);
    return NULL;
}

/* An order of 0 … len - 1: each number goes somewhere among those before it. */
static size_t *permute(struct arena *arena, struct dice *dice, size_t len)
{
    size_t *order = ARENA_ARRAY(arena, size_t, len + 1);

    for (size_t i = 0; i < len; i++) {
        size_t k = (size_t)dice_below(dice, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    return order;
}

/* As many orders one after the other as it takes. */
fallible random_make_shuffle(const struct random_call *call, struct random_result *out)
{
    const struct value *given = value_find(call->inputs, STR("inputs"));
    struct value list = given ? builtin_open(*given) : value_null();
    double wanted =
        builtin_number(call->inputs, "resultCount", list.kind == VALUE_ARRAY ? list.len : 0);
    struct dice dice = dice_new(call);

    if (list.kind != VALUE_ARRAY || wanted < 0 || wanted > MOST_BYTES)
        return error_new(ERROR_INVALID, "resultCount must be between 0 and %d", MOST_BYTES);
    size_t count = list.len ? (size_t)wanted : 0;
    struct value *results = ARENA_ARRAY(call->arena, struct value, count + 1);
    const size_t *order = NULL;
    for (size_t i = 0; i < count; i++) {
        if (i % list.len == 0)
            order = permute(call->arena, &dice, list.len);
        results[i] = builtin_open(list.items[order[i % list.len]]);
    }
    const struct member member = { STR("results"), value_array(call->arena, results, count) };
    out->id = STR("-");
    out->outputs = value_object(call->arena, &member, 1);
    return NULL;
}

fallible random_describe_uuid(struct arena *arena, str uuid, struct random_result *out)
{
    const struct member member = { STR("result"), value_string(uuid) };

    out->id = uuid;
    out->outputs = value_object(arena, &member, 1);
    return NULL;
}

fallible random_make_uuid4(const struct random_call *call, struct random_result *out)
{
    return random_describe_uuid(call->arena, uuid_new(call->arena), out);
}

fallible random_make_uuid7(const struct random_call *call, struct random_result *out)
{
    uint64_t milliseconds = (uint64_t)(clock_now() / NS_PER_MS);
    str random = uuid_new(call->arena); /* version and variant are in the same places */

    return random_describe_uuid(call->arena,
                                arena_printf(call->arena, "%08llx-%04llx-7" STR_FMT,
                                             (unsigned long long)(milliseconds >> 16),
                                             (unsigned long long)(milliseconds & 0xffff),
                                             STR_ARG(str_slice(random, 15, random.len))),
                                out);
}
