/* builtin_random_make.c — how the results of package "random" are made. */
#include "builtin/builtin_random.h"

#include "base/base64.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/strbuf.h"
#include "base/uuid.h"
#include "builtin/builtin_table.h"
#include "builtin/random_words.h"
#include "fiber/offload.h"

#include <crypt.h>
#include <dlfcn.h>

enum { MOST_BYTES = 1 << 20 };

/* --- where the numbers come from --- */

/* Without a seed, what nobody can guess; with one, the same numbers each time. */
struct dice {
    bool is_seeded;
    uint64_t state;
    uint64_t ahead[16]; /* asked of the system together */
    size_t left;
};

static struct dice dice_new(struct value inputs)
{
    str seed = builtin_text(inputs, "seed", STR(""));
    unsigned char digest[SHA256_SIZE];
    struct dice dice = { .is_seeded = seed.len > 0 };

    hash_sha256(seed, digest);
    memcpy(&dice.state, digest, sizeof(dice.state));
    return dice;
}

static uint64_t dice_next(struct dice *dice)
{
    uint64_t value;

    if (!dice->is_seeded && dice->left == 0) {
        random_bytes(dice->ahead, sizeof(dice->ahead));
        dice->left = sizeof(dice->ahead) / sizeof(dice->ahead[0]);
    }
    if (!dice->is_seeded)
        return dice->ahead[--dice->left];
    dice->state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    value = dice->state;
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Below `limit`, each as likely as the others. */
static uint64_t dice_below(struct dice *dice, uint64_t limit)
{
    uint64_t rest = UINT64_MAX - UINT64_MAX % limit;
    uint64_t value;

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

static fallible read_length(struct value inputs, const char *name, size_t *out)
{
    double length = builtin_number(inputs, name, 0);

    if (length < 1 || length > MOST_BYTES)
        return error_new(ERROR_INVALID, "%s must be between 1 and %d", name, MOST_BYTES);
    *out = (size_t)length;
    return NULL;
}

/* --- bytes --- */

fallible random_make_bytes(struct arena *arena, struct value inputs, struct random_result *out)
{
    size_t len;

    TRY(read_length(inputs, "length", &len));
    str bytes = make_bytes(arena, len);
    out->id = as_base64(arena, bytes);
    const struct member members[] = {
        { STR("base64"), value_string(out->id) },
        { STR("hex"), value_string(hex_encode(arena, bytes)) },
    };
    out->outputs = value_object(arena, members, 2);
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

static void describe_id(struct arena *arena, str bytes, str prefix, struct random_result *out)
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

fallible random_make_id(struct arena *arena, struct value inputs, struct random_result *out)
{
    size_t len;

    TRY(read_length(inputs, "byteLength", &len));
    describe_id(arena, make_bytes(arena, len), builtin_text(inputs, "prefix", STR("")), out);
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

    TRY(read_length(inputs, "length", &len));
    for (size_t i = 0; i < 4; i++) {
        bool is_wanted = builtin_bool(inputs, kinds[i].flag, i == 2 ? builtin_bool(inputs, "number", true) : true);
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

fallible random_make_string(struct arena *arena, struct value inputs, struct random_result *out)
{
    TRY(make_text(arena, inputs, &out->id));
    const struct member member = { STR("result"), value_string(out->id) };
    out->outputs = value_object(arena, &member, 1);
    return NULL;
}

/* --- passwords --- */

enum { BCRYPT_BYTES = 72 };

struct hash_work {
    char phrase[BCRYPT_BYTES + 1];
    char salt[64];
    struct crypt_data data;
    bool is_done;
};

/* The library is only loaded where a password is made. */
static void hash_on_thread(void *work_)
{
    struct hash_work *work = work_;
    char *(*hash)(const char *, const char *, struct crypt_data *) = NULL;
    void *library = dlopen("libcrypt.so.1", RTLD_NOW | RTLD_LOCAL);

    if (library)
        *(void **)&hash = dlsym(library, "crypt_r");
    const char *result = hash ? hash(work->phrase, work->salt, &work->data) : NULL;
    work->is_done = result && result[0] == '$';
}

static fallible bcrypt(struct arena *arena, str password, str *out)
{
    static const char alphabet[] = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    struct hash_work *work = arena_alloc(arena, sizeof(*work));
    struct dice dice = { 0 };
    size_t len = password.len < BCRYPT_BYTES ? password.len : BCRYPT_BYTES;

    memcpy(work->phrase, password.ptr, len);
    memcpy(work->salt, "$2a$10$", 7);
    for (size_t i = 0; i < 22; i++)
        work->salt[7 + i] = i < 21 ? alphabet[dice_below(&dice, 64)] : ".Oeu"[dice_below(&dice, 4)];
    offload(hash_on_thread, work);
    explicit_bzero(work->phrase, sizeof(work->phrase));
    if (!work->is_done)
        return error_new(ERROR_OTHER, "bcrypt is not to be had on this machine (libcrypt.so.1)");
    *out = arena_copy(arena, str_from(work->data.output));
    return NULL;
}

static fallible describe_password(struct arena *arena, str password, struct random_result *out)
{
    str hash;

    TRY(bcrypt(arena, password, &hash));
    const struct member members[] = { { STR("result"), value_string(password) },
                                      { STR("bcryptHash"), value_string(hash) } };
    out->id = STR("none");
    out->outputs = value_object(arena, members, 2);
    return NULL;
}

fallible random_make_password(struct arena *arena, struct value inputs, struct random_result *out)
{
    str password;

    TRY(make_text(arena, inputs, &password));
    return describe_password(arena, password, out);
}

/* --- names, numbers, lists --- */

#define PICK(dice, words) str_from((words)[dice_below((dice), sizeof(words) / sizeof((words)[0]))])

fallible random_make_pet(struct arena *arena, struct value inputs, struct random_result *out)
{
    CLEANUP(strbuf_release) struct strbuf name = { 0 };
    str separator = builtin_text(inputs, "separator", STR("-"));
    str prefix = builtin_text(inputs, "prefix", STR(""));
    double length = builtin_number(inputs, "length", 2);
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
    out->id = arena_copy(arena, strbuf_str(&name));
    out->outputs = VALUE_EMPTY_OBJECT;
    return NULL;
}

static void describe_integer(struct arena *arena, double number, struct random_result *out)
{
    const struct member member = { STR("result"), value_number(number) };

    out->id = arena_printf(arena, "%.0f", number);
    out->outputs = value_object(arena, &member, 1);
}

fallible random_make_integer(struct arena *arena, struct value inputs, struct random_result *out)
{
    double min = builtin_number(inputs, "min", 0), max = builtin_number(inputs, "max", 0);
    struct dice dice = dice_new(inputs);

    if (max < min || max - min >= 0x1p53)
        return error_new(ERROR_INVALID, "min must not be above max, nor further from it than 2^53");
    describe_integer(arena, min + (double)dice_below(&dice, (uint64_t)(max - min) + 1), out);
    return NULL;
}

fallible random_make_shuffle(struct arena *arena, struct value inputs, struct random_result *out)
{
    const struct value *given = value_find(inputs, STR("inputs"));
    struct value list = given ? builtin_open(*given) : value_null();
    struct dice dice = dice_new(inputs);
    double wanted = builtin_number(inputs, "resultCount", list.kind == VALUE_ARRAY ? list.len : 0);

    if (list.kind != VALUE_ARRAY || wanted < 0 || wanted > MOST_BYTES)
        return error_new(ERROR_INVALID, "resultCount must be between 0 and %d", MOST_BYTES);
    size_t count = list.len ? (size_t)wanted : 0;
    struct value *results = ARENA_ARRAY(arena, struct value, count + 1);
    struct value *deck = arena_copy_bytes(arena, list.items, list.len * sizeof(*list.items));
    for (size_t i = 0; i < count; i++) {
        size_t taken = i % list.len;
        size_t k = taken + (size_t)dice_below(&dice, list.len - taken);
        results[i] = builtin_open(deck[k]);
        deck[k] = deck[taken];
        deck[taken] = results[i];
    }
    const struct member member = { STR("results"), value_array(arena, results, count) };
    out->id = STR("-");
    out->outputs = value_object(arena, &member, 1);
    return NULL;
}

static fallible describe_uuid(struct arena *arena, str uuid, struct random_result *out)
{
    const struct member member = { STR("result"), value_string(uuid) };

    out->id = uuid;
    out->outputs = value_object(arena, &member, 1);
    return NULL;
}

fallible random_make_uuid4(struct arena *arena, struct value inputs, struct random_result *out)
{
    (void)inputs;
    return describe_uuid(arena, uuid_new(arena), out);
}

fallible random_make_uuid7(struct arena *arena, struct value inputs, struct random_result *out)
{
    uint64_t milliseconds = (uint64_t)(clock_now() / NS_PER_MS);
    str random = uuid_new(arena); /* version and variant are in the same places */

    (void)inputs;
    return describe_uuid(arena,
                         arena_printf(arena, "%08llx-%04llx-7" STR_FMT, (unsigned long long)(milliseconds >> 16),
                                      (unsigned long long)(milliseconds & 0xffff),
                                      STR_ARG(str_slice(random, 15, random.len))),
                         out);
}

/* --- around it --- */

void random_check(struct arena *arena, bool is_range, struct value inputs, struct check_failures *failures)
{
    static const char *const minimums[] = { "minLower", "minUpper", "minNumeric", "minSpecial" };
    double sum = 0;

    for (size_t i = 0; i < 4; i++)
        sum += builtin_number(inputs, minimums[i], 0);
    if (builtin_number(inputs, "length", 1) < 1)
        builtin_add_failure(arena, failures, "length", STR("\"length\" must be at least 1"));
    else if (value_has(inputs, STR("length")) && !builtin_is_unknown(inputs, "length")
             && sum > builtin_number(inputs, "length", 0))
        builtin_add_failure(
            arena, failures, "length",
            STR("\"length\" must be at least the sum of minLower, minUpper, minNumeric and minSpecial"));
    if (builtin_number(inputs, "byteLength", 1) < 1)
        builtin_add_failure(arena, failures, "byteLength", STR("\"byteLength\" must be at least 1"));
    if (is_range && !builtin_is_unknown(inputs, "min") && !builtin_is_unknown(inputs, "max")
        && builtin_number(inputs, "min", 0) > builtin_number(inputs, "max", 0))
        builtin_add_failure(arena, failures, "min",
                            STR("The minimum (min) value needs to be smaller than or equal to maximum (max) value."));
}

static struct value with_default(struct arena *arena, struct value object, const char *name, struct value value)
{
    return value_has(object, str_from(name)) ? object : value_with(arena, object, str_from(name), value);
}

struct value random_defaults(struct arena *arena, bool is_text, bool is_pet, struct value inputs)
{
    static const char *const flags[] = { "lower", "upper", "special" };
    static const char *const minimums[] = { "minLower", "minUpper", "minNumeric", "minSpecial" };
    bool numeric = builtin_bool(inputs, "numeric", builtin_bool(inputs, "number", true));

    for (size_t i = 0; is_text && i < 3; i++)
        inputs = with_default(arena, inputs, flags[i], value_bool(true));
    for (size_t i = 0; is_text && i < 4; i++)
        inputs = with_default(arena, inputs, minimums[i], value_number(0));
    if (is_text) {
        inputs = with_default(arena, inputs, "numeric", value_bool(numeric));
        inputs = with_default(arena, inputs, "number", value_bool(numeric));
    }
    if (is_pet) {
        inputs = with_default(arena, inputs, "length", value_number(2));
        inputs = with_default(arena, inputs, "separator", value_string(STR("-")));
    }
    return inputs;
}

/* --- what was made elsewhere --- */

static struct value one_input(struct arena *arena, str name, struct value value)
{
    const struct member member = { name, value };
    return value_object(arena, &member, 1);
}

/* [prefix,]base64 for URLs. */
static fallible import_id(struct arena *arena, str id, struct value *inputs, struct random_result *out)
{
    CLEANUP(strbuf_release) struct strbuf base64 = { 0 };
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };
    str prefix = STR(""), text = id;

    str_cut(id, STR(","), &prefix, &text);
    for (size_t i = 0; i < text.len; i++)
        strbuf_add_char(&base64, text.ptr[i] == '-' ? '+' : text.ptr[i] == '_' ? '/' : text.ptr[i]);
    while (base64.len % 4)
        strbuf_add_char(&base64, '=');
    if (!base64_decode(&bytes, strbuf_str(&base64)) || bytes.len == 0)
        return error_new(ERROR_INVALID, "'" STR_FMT "' is not base64 for URLs", STR_ARG(text));
    *inputs = one_input(arena, STR("byteLength"), value_number((double)bytes.len));
    if (prefix.len)
        *inputs = value_with(arena, *inputs, STR("prefix"), value_string(prefix));
    describe_id(arena, arena_copy(arena, strbuf_str(&bytes)), prefix, out);
    return NULL;
}

static fallible import_bytes(struct arena *arena, str id, struct value *inputs, struct random_result *out)
{
    CLEANUP(strbuf_release) struct strbuf bytes = { 0 };

    if (!base64_decode(&bytes, id))
        return error_new(ERROR_INVALID, "'" STR_FMT "' is not base64", STR_ARG(id));
    const struct member members[] = {
        { STR("base64"), value_string(id) },
        { STR("hex"), value_string(hex_encode(arena, strbuf_str(&bytes))) },
    };
    *inputs = one_input(arena, STR("length"), value_number((double)bytes.len));
    out->id = id;
    out->outputs = value_object(arena, members, 2);
    return NULL;
}

fallible random_import(struct arena *arena, str token, str id, struct value *inputs, struct random_result *out)
{
    const struct member result = { STR("result"), value_string(id) };

    *inputs = VALUE_EMPTY_OBJECT;
    if (str_ends_with(token, STR(":RandomId")))
        return import_id(arena, id, inputs, out);
    if (str_ends_with(token, STR(":RandomBytes")))
        return import_bytes(arena, id, inputs, out);
    if (str_find(token, STR(":RandomUuid")) != SIZE_MAX)
        return describe_uuid(arena, id, out);
    *inputs = one_input(arena, STR("length"), value_number((double)id.len));
    if (str_ends_with(token, STR(":RandomPassword")))
        return describe_password(arena, id, out);
    if (!str_ends_with(token, STR(":RandomString")))
        return error_new(ERROR_OTHER, "resources of type '" STR_FMT "' cannot be imported", STR_ARG(token));
    out->id = id;
    out->outputs = value_object(arena, &result, 1);
    return NULL;
}
