/* default_providers.c — the provider a resource gets when it names none: one for each package,
 * version, download URL and parameterization. */
#include "engine/monitor/monitor.h"

#include "base/base64.h"
#include "base/json.h"
#include "engine/deploy/deployment.h"
#include "engine/engine.h"
#include "engine/estate/estate.h"
#include "engine/provider/registry.h"
#include "engine/step/registration.h"
#include "model/urn.h"
#include "fiber/fiber.h"
#include "plugin/language.h"
#include "proto/message.h"

#define VERSION_KEY STR("version")

/* --- inputs of provider resources --- */

void provider_inputs_set_internal(struct arena *arena, struct value *inputs, str key,
                                  struct value value)
{
    const struct value *internal = value_find(*inputs, PROVIDER_INTERNAL);
    struct value whole =
        internal && internal->kind == VALUE_OBJECT ? *internal : VALUE_EMPTY_OBJECT;

    if (key.len)
        whole = value_with(arena, whole, key, value);
    *inputs = value_with(arena, *inputs, PROVIDER_INTERNAL, whole);
}

void provider_inputs_set_version(struct arena *arena, struct value *inputs, str version)
{
    provider_inputs_set_internal(arena, inputs, STR(""), value_null());
    *inputs = value_with(arena, *inputs, VERSION_KEY, value_string(version));
}

void provider_inputs_set_package(struct arena *arena, struct value *inputs,
                                 const struct package_ref *package)
{
    CLEANUP(strbuf_release) struct strbuf encoded = { 0 };
    str version = package_ref_version(package);

    if (version.len)
        provider_inputs_set_version(arena, inputs, version);
    if (package->download_url.len)
        provider_inputs_set_internal(arena, inputs, STR("pluginDownloadURL"),
                                     value_string(package->download_url));
    if (package->checksums.kind == VALUE_OBJECT)
        provider_inputs_set_internal(arena, inputs, STR("pluginChecksums"), package->checksums);
    if (!package->is_parameterized)
        return;
    base64_encode(&encoded, package->parameter_value);
    provider_inputs_set_internal(arena, inputs, STR("name"), value_string(package->name));
    provider_inputs_set_internal(arena, inputs, VERSION_KEY, value_string(package->version));
    provider_inputs_set_internal(arena, inputs, STR("parameterization"),
                                 value_string(arena_copy(arena, strbuf_str(&encoded))));
}

/* --- which versions --- */

static bool is_higher(str candidate, str than)
{
    struct semver a, b;

    if (!semver_parse_tolerant(candidate, &a))
        return false;
    return !semver_parse_tolerant(than, &b) || semver_compare(&a, &b) > 0;
}

static str origin_text(struct arena *arena, const struct package_ref *package)
{
    str plugin = arena_printf(arena, "plugin \"" STR_FMT "\"%s" STR_FMT, STR_ARG(package->name),
                              package->version.len ? " v" : "", STR_ARG(package->version));

    if (!package->is_parameterized)
        return plugin;
    return arena_printf(arena, STR_FMT " parameterized as \"" STR_FMT "\" v" STR_FMT,
                        STR_ARG(plugin), STR_ARG(package->parameter_name),
                        STR_ARG(package->parameter_version));
}

static fallible offer_version(struct arena *arena, struct map *defaults,
                              const struct package_ref *package)
{
    str name = package_ref_name(package), version = package_ref_version(package);
    const struct package_ref *known = map_find(defaults, name);

    if (known
        && (known->is_parameterized != package->is_parameterized
            || !str_equal(known->name, package->name)))
        return error_new(ERROR_OTHER,
                         "package \"" STR_FMT "\" is provided by more than one plugin:\n  " STR_FMT
                         "\n  " STR_FMT "\nRemove one of the packages, or pass an explicit "
                         "`provider` option on each resource to disambiguate.",
                         STR_ARG(name), STR_ARG(origin_text(arena, known)),
                         STR_ARG(origin_text(arena, package)));
    if (!known || (package_ref_version(known).len == 0 && version.len)
        || is_higher(version, package_ref_version(known)))
        map_put(defaults, name, arena_copy_bytes(arena, package, sizeof(*package)));
    return NULL;
}

/* Where the language host names no package, those of the state count. */
static fallible read_versions_from_state(const struct estate *estate, struct map *out)
{
    for (size_t i = 0; i < estate->base.len; i++) {
        const struct resource *resource = estate->base.items[i];
        struct provider_spec spec;
        if (!type_is_provider(resource->type))
            continue;
        TRY(registry_plugin_of(estate->arena, resource->type, resource->inputs, &spec));
        spec.package.checksums = value_null(); /* of what is installed already */
        TRY(offer_version(estate->arena, out, &spec.package));
    }
    return NULL;
}

fallible provider_default_versions(const struct estate *estate, const struct package_refs *packages,
                                   struct map *out)
{
    bool has_any = false;

    for (size_t i = 0; packages && i < packages->len; i++) {
        const struct package_ref *package = &packages->items[i];
        if (!str_equal(package->kind, STR("resource")) || package->is_extension)
            continue;
        has_any = true;
        TRY(offer_version(estate->arena, out, package));
    }
    return has_any ? NULL : read_versions_from_state(estate, out);
}

static bool has_only(str text, bool (*is_allowed)(char))
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_allowed(text.ptr[i]))
            return false;
    return true;
}

static bool is_identifier_char(char c)
{
    return char_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

static struct error *number_problem(str number, const char *name, const char *title)
{
    uint64_t value;

    if (!has_only(number, char_is_digit))
        return error_new(ERROR_OTHER, "Invalid character(s) found in %s number \"" STR_FMT "\"",
                         name, STR_ARG(number));
    if (number.len > 1 && number.ptr[0] == '0')
        return error_new(ERROR_OTHER, "%s number must not contain leading zeroes \"" STR_FMT "\"",
                         title, STR_ARG(number));
    if (str_to_u64(number, &value))
        return NULL;
    return error_new(ERROR_OTHER, "strconv.ParseUint: parsing \"" STR_FMT "\": %s", STR_ARG(number),
                     number.len ? "value out of range" : "invalid syntax");
}

static struct error *identifiers_problem(str list, bool is_build)
{
    const char *empty = is_build ? "Build meta data is empty" : "Prerelease is empty";
    const char *place = is_build ? "build meta data" : "prerelease";
    str identifier;

    for (bool has_more = true; has_more;) {
        has_more = str_cut(list, STR("."), &identifier, &list);
        if (!has_more)
            identifier = list;
        if (!identifier.len)
            return error_new(ERROR_OTHER, "%s", empty);
        if (!has_only(identifier, is_identifier_char))
            return error_new(ERROR_OTHER, "Invalid character(s) found in %s \"" STR_FMT "\"", place,
                             STR_ARG(identifier));
        if (!is_build && identifier.len > 1 && identifier.ptr[0] == '0'
            && has_only(identifier, char_is_digit))
            return error_new(ERROR_OTHER,
                             "Numeric PreRelease version must not contain leading zeroes "
                             "\"" STR_FMT "\"",
                             STR_ARG(identifier));
    }
    return NULL;
}

/* What is wrong with a version, worded as programs that parse the message expect. Scenario
 * invoke/invoke-bad-version. */
static fallible version_problem(str version)
{
    str major, minor, patch, pre, build;

    if (!str_cut(version, STR("."), &major, &patch) || !str_cut(patch, STR("."), &minor, &patch))
        return error_new(ERROR_OTHER, "No Major.Minor.Patch elements found");
    bool has_build = str_cut(patch, STR("+"), &patch, &build);
    bool has_pre = str_cut(patch, STR("-"), &patch, &pre);
    TRY(number_problem(major, "major", "Major"));
    TRY(number_problem(minor, "minor", "Minor"));
    TRY(number_problem(patch, "patch", "Patch"));
    if (has_pre)
        TRY(identifiers_problem(pre, false));
    return has_build ? identifiers_problem(build, true) : NULL;
}

fallible monitor_check_version(str version)
{
    struct semver parsed;

    return version.len && !semver_parse(version, &parsed) ? version_problem(version) : NULL;
}

fallible monitor_package(struct monitor *monitor, str name, str version, str url, str ref,
                         struct package_ref *out)
{
    *out = (struct package_ref){ .name = name, .version = version, .download_url = url };
    TRY(monitor_check_version(version));
    if (str_ends_with(out->download_url, STR("/")))
        out->download_url.len--;
    if (ref.len == 0)
        return NULL;
    const struct package *found = monitor_find_package(monitor, ref);
    if (!found)
        return error_new(ERROR_OTHER, "unknown provider package '" STR_FMT "'", STR_ARG(ref));
    *out = found->ref;
    return NULL;
}

/* --- making one --- */

static void add_name_part(struct strbuf *name, str part)
{
    for (size_t i = 0; i < part.len; i++) {
        char c = part.ptr[i];
        bool is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                       || c == '_' || c == '.' || c == '-';
        strbuf_add_char(name, is_fine ? c : '_');
    }
}

static void add_version(struct strbuf *name, str version)
{
    struct semver parsed;

    if (!semver_parse_tolerant(version, &parsed))
        return;
    strbuf_printf(name, "_%lu_%lu_%lu", (unsigned long)parsed.major, (unsigned long)parsed.minor,
                  (unsigned long)parsed.patch);
    str lists[] = { parsed.pre, parsed.build };
    for (size_t i = 0; i < 2; i++) {
        str rest = lists[i], part;
        while (str_next(&rest, STR("."), &part)) {
            strbuf_add_char(name, '_');
            strbuf_add(name, part);
        }
    }
}

static void add_url(struct strbuf *name, str url)
{
    bool is_first = true;

    strbuf_add_char(name, '_');
    while (url.len) {
        str part = url;
        if (!str_cut(url, STR("/"), &part, &url))
            url = STR("");
        if (part.len == 0)
            continue;
        if (!is_first)
            strbuf_add_char(name, '/');
        add_name_part(name, part);
        is_first = false;
    }
}

str provider_default_name(struct arena *arena, const struct package_ref *package)
{
    str version = package_ref_version(package);
    CLEANUP(strbuf_release) struct strbuf name = { 0 };

    strbuf_add(&name, STR("default"));
    if (version.len)
        add_version(&name, version);
    if (package->download_url.len)
        add_url(&name, package->download_url);
    return arena_copy(arena, strbuf_str(&name));
}

/* The default provider is parameterized: what the request says is about the package, not about its
 * plugin. */
static void complete_by_parameter(const struct package_ref *fallback, struct package_ref *package)
{
    const struct package_ref said = *package;

    *package = *fallback;
    if (said.version.len)
        package->parameter_version = said.version;
    if (said.download_url.len)
        package->download_url = said.download_url;
    if (said.checksums.kind != VALUE_NULL)
        package->checksums = said.checksums;
}

void provider_complete_package(const struct map *defaults, struct package_ref *package)
{
    const struct package_ref *fallback = map_find(defaults, package_ref_name(package));
    str *version = package->is_parameterized ? &package->parameter_version : &package->version;

    if (!fallback)
        return;
    if (!package->is_parameterized && fallback->is_parameterized) {
        complete_by_parameter(fallback, package);
        return;
    }
    if (version->len == 0)
        *version = package_ref_version(fallback);
    if (package->download_url.len == 0)
        package->download_url = fallback->download_url;
    if (package->checksums.kind == VALUE_NULL)
        package->checksums = fallback->checksums;
}

/* Its provider is part of the program, and reads the program's configuration. */
static bool is_dynamic(str package)
{
    return str_equal(package, STR("pulumi-nodejs")) || str_equal(package, STR("pulumi-python"));
}

struct value provider_package_config(struct arena *arena, const struct engine_options *options,
                                     str package)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    struct member *inputs = ARENA_ARRAY(&scratch, struct member, options->config->len);
    size_t count = 0;

    for (size_t i = 0; i < options->config->len; i++) {
        const struct config_fact *fact = &options->config->items[i];
        str space = STR(""), key = fact->key;
        if (!is_dynamic(package)
            && (!str_cut(fact->key, STR(":"), &space, &key) || !str_equal(space, package)))
            continue;
        struct value text = value_string(secret_reveal(fact->text));
        inputs[count++] =
            (struct member){ key, fact->is_secret ? value_secret(arena, text) : text };
    }
    return value_object(arena, inputs, count);
}

fallible provider_default_is_denied(const struct engine_options *options, str package, bool *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    CLEANUP(json_reader_release) struct json_reader reader = { 0 };
    struct strs names;

    *out = false;
    if (str_equal(package, STR("pulumi")))
        return NULL;
    str text = value_find_text(provider_package_config(&scratch, options, STR("pulumi")),
                               STR("disable-default-providers"));
    if (text.len == 0)
        return NULL;
    json_reader_init(&reader, &scratch, text);
    TRY(error_wrap(json_field_strs(&reader, &names), "Failed to parse " STR_FMT, STR_ARG(text)));
    for (size_t i = 0; i < names.len; i++) {
        str name = str_trim(names.items[i]);
        *out = *out || str_equal(name, STR("*")) || str_equal(name, package);
    }
    return NULL;
}

static fallible make_default(struct monitor *monitor, const struct package_ref *package, str *out)
{
    struct registration *reg = registration_open(monitor->registrations);
    struct goal *goal = &reg->goal;
    str name = package_ref_name(package);

    goal->type = arena_concat(reg->arena, STR("pulumi:providers:"), name);
    goal->name = provider_default_name(reg->arena, package);
    goal->is_custom = true;
    goal->inputs = provider_package_config(reg->arena, monitor->options, name);
    provider_inputs_set_package(reg->arena, &goal->inputs, package);
    struct error *failure = deployment_register(monitor->deployment, reg);
    if (failure)
        return failure; /* canceled: the registration belongs to the deployment now */
    *out = provider_ref_format(monitor->arena, reg->state->urn, reg->state->id);
    registration_close(monitor->registrations, reg);
    return NULL;
}

/* One that is being created, or was. */
struct default_provider {
    struct latch settled;
    str reference; /* empty: not yet, or it could not be created */
};

/* The first that needs it creates it, the others of the same package wait. */
static fallible settle_default(struct monitor *monitor, const struct package_ref *package, str key,
                               str *out)
{
    struct default_provider *known;

    while ((known = map_find(&monitor->defaults, key))) {
        TRY(latch_wait(&known->settled));
        *out = known->reference;
        if (known->reference.len)
            return NULL;
    }
    known = ARENA_NEW(monitor->arena, struct default_provider);
    key = arena_copy(monitor->arena, key);
    map_put(&monitor->defaults, key, known);
    struct error *failure = make_default(monitor, package, &known->reference);
    if (failure)
        map_remove(&monitor->defaults, key);
    *out = known->reference;
    latch_open(&known->settled);
    return failure;
}

static fallible find_or_make_default(struct monitor *monitor, struct package_ref package,
                                     struct arena *arena, str *out)
{
    bool is_refused = false;

    provider_complete_package(&monitor->default_versions, &package);
    str name = package_ref_name(&package);
    TRY(provider_default_is_denied(monitor->options, name, &is_refused));
    if (is_refused) {
        str type = arena_concat(arena, STR("pulumi:providers:"), name);
        str urn = urn_make(arena, STR("denydefaultprovider"), STR("denydefaultprovider"), STR(""),
                           type, STR("denydefaultprovider"));
        *out = provider_ref_format(arena, urn, DENIED_PROVIDER_ID);
        return NULL;
    }
    str key = arena_concat(arena, name, STR("\n"), package_ref_version(&package), STR("\n"),
                           package.download_url, STR("\n"), package.name, STR("\n"),
                           package.parameter_value);
    return settle_default(monitor, &package, key, out);
}

fallible monitor_provider_reference(struct monitor *monitor, struct package_ref package,
                                    str explicit_reference, struct arena *arena, str *out)
{
    str urn, id;

    if (explicit_reference.len) {
        TRY(error_as(error_wrap(provider_ref_parse(explicit_reference, &urn, &id),
                                "could not parse provider reference"),
                     ERROR_OTHER));
        *out = explicit_reference;
        return NULL;
    }
    return find_or_make_default(monitor, package, arena, out);
}
