/* preinstall.c — plugins that an operation will need are installed before it begins, all at
 * once. */
#include "engine/deploy/deployment_parts.h"
#include "engine/run/run_parts.h"
#include "engine/step/resource_diff.h"
#include "model/urn.h"

#include "fiber/fiber.h"
#include "plugin/install.h"

struct spec_list {
    VEC(struct provider_spec);
};

/* --- how it goes, as events --- */

struct download {
    struct deployment *deployment;
    str plugin; /* "aws-1.2.3" */
    const struct http_progress *http;
    bool is_told;  /* that it has begun: not before the server gives something */
    uint64_t size; /* of the archive; 0: not known */
    struct latch done;
    struct latch ended;
};

static void report_progress(const struct download *download, const char *type, const char *verb,
                            bool is_first, bool is_done)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    uint64_t completed = 0, total = 0;

    if (str_equal(str_from(type), STR("plugin-download"))) {
        install_progress(download->http, &completed, &total);
    } else {
        completed = is_done ? download->size : 0;
        total = download->size;
    }
    const struct event event = {
        .kind = EVENT_PROGRESS,
        .progress = {
            .type = type,
            .id = arena_concat(&scratch, str_from(type), STR(":"), download->plugin),
            .message = arena_concat(&scratch, str_from(verb), STR(" plugin "), download->plugin),
            .completed = completed,
            .total = total,
            .is_first = is_first,
            .is_done = is_done,
        },
    };
    report_emit(&download->deployment->report, &event);
}

static void report_download(struct download *download, bool is_done)
{
    uint64_t completed, total;

    install_progress(download->http, &completed, &total);
    if (!download->is_told && completed == 0)
        return;
    if (!download->is_told)
        report_progress(download, "plugin-download", "Downloading", true, false);
    else if (!is_done)
        report_progress(download, "plugin-download", "Downloading", false, false);
    download->is_told = true;
    if (is_done)
        report_progress(download, "plugin-download", "Downloading", false, true);
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
    report_progress(download, "plugin-install", "Installing", true, false);
}

static void end_unpack(void *download)
{
    report_progress(download, "plugin-install", "Installing", false, true);
}

static const struct install_listener *listen(void *deployment_, str plugin)
{
    struct deployment *deployment = deployment_;
    struct download *download = ARENA_NEW(deployment->arena, struct download);
    struct install_listener *listener = ARENA_NEW(deployment->arena, struct install_listener);

    *download = (struct download){ .deployment = deployment,
                                   .plugin = arena_copy(deployment->arena, plugin) };
    *listener = (struct install_listener){ .context = download,
                                           .begin_download = preinstall_begin_download,
                                           .end_download = preinstall_end_download,
                                           .begin_unpack = begin_unpack,
                                           .end_unpack = end_unpack };
    return listener;
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
