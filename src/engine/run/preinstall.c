/* preinstall.c — plugins and policy packs that an operation will need are installed before it
 * begins. */
#include "engine/deploy/deployment_parts.h"
#include "engine/run/run_parts.h"
#include "model/urn.h"

#include "fiber/fiber.h"
#include "plugin/install.h"

struct spec_list {
    VEC(struct provider_spec);
};

/* --- how it goes, as events --- */

/* What is downloaded, in the words of events. */
struct download_words {
    const char *download; /* types of progress */
    const char *install;
    const char *noun;
};
static const struct download_words plugin_words = { "plugin-download", "plugin-install", "plugin" };
static const struct download_words pack_words = { "policypack-download", "policypack-install",
                                                  "policy pack" };

struct download {
    struct deployment *deployment;
    const struct download_words *words;
    str name; /* "aws-1.2.3" */
    const struct http_progress *http;
    bool is_reported; /* that it has begun: not before the server gives something */
    uint64_t size;    /* of the archive; 0: not known */
    struct latch done;
    struct latch ended;
};

static void emit_progress(const struct download *download, const char *type, str id, str message,
                          uint64_t completed, uint64_t total, bool is_first, bool is_done)
{
    const struct event event = {
        .kind = EVENT_PROGRESS,
        .progress = {
            .type = type,
            .id = id,
            .message = message,
            .completed = completed,
            .total = total,
            .is_first = is_first,
            .is_done = is_done,
        },
    };
    report_emit(&download->deployment->report, &event);
}

static void report_progress(const struct download *download, bool is_install, bool is_first,
                            bool is_done)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    const struct download_words *words = download->words;
    const char *type = is_install ? words->install : words->download;
    uint64_t completed = is_done ? download->size : 0, total = download->size;

    if (!is_install)
        install_progress(download->http, &completed, &total);
    emit_progress(download, type, arena_concat(&scratch, str_from(type), STR(":"), download->name),
                  arena_concat(&scratch, is_install ? STR("Installing ") : STR("Downloading "),
                               str_from(words->noun), STR(" "), download->name),
                  completed, total, is_first, is_done);
}

static void report_download(struct download *download, bool is_done)
{
    uint64_t completed, total;

    install_progress(download->http, &completed, &total);
    if (!download->is_reported && completed == 0)
        return;
    if (!download->is_reported || !is_done)
        report_progress(download, false, !download->is_reported, false);
    download->is_reported = true;
    if (is_done)
        report_progress(download, false, false, true);
}

static void watch_download(void *download_)
{
    enum { REPORT_MS = 100 };
    struct download *download = download_;
    struct error *news;

    while ((news = latch_wait_ms(&download->done, REPORT_MS))
           && error_kind(news) == ERROR_TIMEOUT) {
        error_ignore(news, "not done yet");
        report_download(download, false);
    }
    error_ignore(news, "a canceled download ends by itself");
    latch_open(&download->ended);
}

static void preinstall_begin_download(void *download_, const struct http_progress *http)
{
    struct download *download = download_;

    download->http = http;
    download->done = download->ended = (struct latch){ 0 };
    fiber_spawn(watch_download, download);
}

static void preinstall_end_download(void *download_)
{
    struct download *download = download_;

    latch_open(&download->done);
    latch_wait_uncancelable(&download->ended);
    report_download(download, true);
    uint64_t total;
    install_progress(download->http, &download->size, &total);
}

static void begin_unpack(void *download)
{
    report_progress(download, true, true, false);
}

static void end_unpack(void *download)
{
    report_progress(download, true, false, true);
}

static void report_dependencies(const struct download *download, bool is_done)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    str type = str_from(download->words->install);

    emit_progress(download, type.ptr, arena_concat(&scratch, type, STR(":deps:"), download->name),
                  arena_concat(&scratch, STR("Installing "), str_from(download->words->noun),
                               STR(" "), download->name, STR(" dependencies...")),
                  0, 0, !is_done, is_done);
}

static void begin_dependencies(void *download)
{
    report_dependencies(download, false);
}

static void end_dependencies(void *download)
{
    report_dependencies(download, true);
}

static const struct install_listener *listen_for(struct deployment *deployment,
                                                 const struct download_words *words, str name)
{
    struct download *download = ARENA_NEW(deployment->arena, struct download);
    struct install_listener *listener = ARENA_NEW(deployment->arena, struct install_listener);

    *download = (struct download){ .deployment = deployment,
                                   .words = words,
                                   .name = arena_copy(deployment->arena, name) };
    *listener = (struct install_listener){ .context = download,
                                           .begin_download = preinstall_begin_download,
                                           .end_download = preinstall_end_download,
                                           .begin_unpack = begin_unpack,
                                           .end_unpack = end_unpack,
                                           .begin_dependencies = begin_dependencies,
                                           .end_dependencies = end_dependencies };
    return listener;
}

static const struct install_listener *listen(void *deployment, str plugin)
{
    return listen_for(deployment, &plugin_words, plugin);
}

/* --- what is needed --- */

static void preinstall_add_state(struct deployment *deployment, struct spec_list *list)
{
    for (size_t i = 0; i < deployment->estate.base.len; i++) {
        const struct resource *resource = deployment->estate.base.items[i];
        struct provider_spec spec;
        if (!type_is_provider(resource->type))
            continue;
        struct error *failure =
            registry_plugin_of(deployment->arena, resource->type, resource->inputs, &spec);
        if (!failure && !engine_has_package(spec.package.name))
            vec_add(list, spec);
        error_ignore(failure, "reported when it is loaded");
    }
}

static void add_program(struct deployment *deployment, struct spec_list *list)
{
    const struct package_refs *packages = deployment->program.packages;

    for (size_t i = 0; packages && i < packages->len; i++) {
        const struct package_ref *package = &packages->items[i];
        const struct provider_spec spec = { .package = *package };
        if (str_equal(package->kind, STR("resource")) && !engine_has_package(package->name))
            vec_add(list, spec);
    }
}

/* One that says neither version nor place is not looked for where another entry says more. */
static bool is_vague(const struct spec_list *list, const struct provider_spec *spec)
{
    if (spec->package.version.len || spec->package.download_url.len)
        return false;
    for (size_t i = 0; i < list->len; i++)
        if (str_equal(list->items[i].package.name, spec->package.name)
            && (list->items[i].package.version.len || list->items[i].package.download_url.len))
            return true;
    return false;
}

void preinstall_plugins(struct deployment *deployment)
{
    struct spec_list all = { 0 }, needed = { 0 };

    if (deployment->options->program.skips_preinstall)
        return;
    add_program(deployment, &all);
    preinstall_add_state(deployment, &all);
    for (size_t i = 0; i < all.len; i++)
        if (!is_vague(&all, &all.items[i]))
            vec_add(&needed, all.items[i]);
    plugin_install_needed(deployment->registry.host, needed.items, needed.len, listen, deployment);
    vec_release(&all);
    vec_release(&needed);
}

fallible preinstall_packs(struct deployment *deployment)
{
    const struct policy_options *policies = &deployment->options->policies;

    for (size_t i = 0; i < policies->required_count; i++) {
        const struct policy_pack *pack = &policies->required[i].pack;
        str name = policy_pack_text(deployment->arena, pack);
        TRY(policy_pack_install(deployment->registry.host, pack,
                                listen_for(deployment, &pack_words, name)));
    }
    return NULL;
}
