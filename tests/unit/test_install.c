/* test_install.c — plugins from files and servers: what arrives, what is refused, and that nothing
 * is left of it. */
#include "unit/install_fixture.h"

#include "base/fault.h"
#include "base/hash.h"
#include "plugin/install/install_parts.h"
#include "plugin/plugin_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct arena arena;
static struct server server;
static str root;
static unsigned retries;

static const struct tar_entry good[] = {
    { "pulumi-resource-tst", '0', 0755, "#!/bin/sh\n" },
    { "docs/", '5', 0755, NULL },
    { "docs/deep/README.md", '0', 0644, "read me" },
    { "docs/link", '2', 0777, "../pulumi-resource-tst" },
    { NULL, 0, 0, NULL },
};

static int set_up(void **state)
{
    char pattern[] = "/tmp/install-test-XXXXXX";

    (void)state;
    assert_non_null(mkdtemp(pattern));
    root = arena_copy(&arena, str_from(pattern));
    retries = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_ok(fs_remove_tree(root));
    arena_release(&arena);
    return 0;
}

static str below(const char *name)
{
    return fs_path_join(&arena, root, str_from(name));
}

static str home_entry(const char *name)
{
    return arena_concat(&arena, root, STR("/home/plugins/"), str_from(name));
}

static void count_retry(void *context, str problem, uint64_t wait_ms, unsigned attempt,
                        unsigned attempts)
{
    (void)context, (void)problem, (void)wait_ms, (void)attempts;
    retries = attempt;
}

static struct install_request request_for(const char *version)
{
    static const struct install_listener listener = { .retry = count_retry };

    return (struct install_request){
        .home = below("home"),
        .package = { .kind = STR("resource"), .name = STR("tst"), .version = str_from(version) },
        .listener = &listener
    };
}

static struct error *install_bytes(const char *version, str bytes)
{
    struct install_request request = request_for(version);

    request.file = below("archive.tar.gz");
    assert_ok(fs_replace_quick(request.file, bytes, 0644));
    return plugin_install(&request);
}

static void assert_absent(const char *version)
{
    str entry = home_entry(arena_concat(&arena, STR("resource-tst-v"), str_from(version)).ptr);

    assert_false(fs_exists(entry));
    assert_false(fs_exists(arena_concat(&arena, entry, STR(".partial"))));
}

/* --- what arrives --- */

ON_LOOP(an_archive_is_unpacked)
{
    struct fs_status status;
    struct plugin_entries entries;
    str text;

    (void)unused;
    assert_ok(install_bytes("v1.2.3", make_archive(&arena, good)));
    assert_ok(fs_stat(home_entry("resource-tst-v1.2.3/pulumi-resource-tst"), &status));
    assert_int_equal(status.mode & 0777, 0755);
    assert_ok(fs_read(&arena, home_entry("resource-tst-v1.2.3/docs/deep/README.md"), 100, &text));
    assert_str_equal(text, STR("read me"));
    assert_ok(fs_read(&arena, home_entry("resource-tst-v1.2.3/docs/link"), 100, &text));
    assert_str_equal(text, STR("#!/bin/sh\n"));
    assert_false(fs_exists(home_entry("resource-tst-v1.2.3.partial")));
    assert_ok(plugin_cache_list(&arena, below("home"), &entries));
    assert_int_equal(entries.len, 1);
    assert_str_equal(plugin_entry_text(&arena, &entries.items[0]), STR("tst-1.2.3"));
}

ON_LOOP(what_is_not_on_the_disk_is_not_installed)
{
    (void)unused;
    fault_arm(STR(""), STR("fs.settle:1"));
    assert_fails(install_bytes("1.0.0", make_archive(&arena, good)), ERROR_OS, "sync");
    assert_absent("1.0.0");
    assert_ok(install_bytes("1.0.0", make_archive(&arena, good)));
    fault_arm(STR(""), STR(""));
}

ON_LOOP(versions_lie_side_by_side)
{
    struct plugin_entries entries;

    (void)unused;
    assert_ok(install_bytes("1.9.0", make_archive(&arena, good)));
    assert_ok(install_bytes("1.10.0", make_archive(&arena, good)));
    assert_ok(install_bytes("1.10.0-rc.1", make_archive(&arena, good)));
    assert_ok(plugin_cache_list(&arena, below("home"), &entries));
    assert_int_equal(entries.len, 3);
    assert_str_equal(plugin_entry_text(&arena, &entries.items[0]), STR("tst-1.10.0"));
    assert_str_equal(plugin_entry_text(&arena, &entries.items[2]), STR("tst-1.9.0"));
}

ON_LOOP(an_executable_gets_the_name_of_the_plugin)
{
    struct install_request request = request_for("1.0.0");

    (void)unused;
    request.file = below("anything");
    assert_ok(fs_create(request.file, STR("#!/bin/sh\n"), 0755));
    assert_ok(plugin_install(&request));
    assert_true(fs_is_executable(home_entry("resource-tst-v1.0.0/pulumi-resource-tst")));
}

ON_LOOP(a_folder_is_copied)
{
    struct install_request request = request_for("1.0.0");

    (void)unused;
    request.file = below("from");
    assert_ok(fs_make_directory(below("from/sub"), 0755));
    assert_ok(fs_create(below("from/sub/file"), STR("x"), 0644));
    assert_int_equal(symlink("sub/file", below("from/link").ptr), 0);
    assert_ok(plugin_install(&request));
    assert_true(fs_is_file(home_entry("resource-tst-v1.0.0/sub/file")));
    assert_true(fs_is_file(home_entry("resource-tst-v1.0.0/link")));
}

ON_LOOP(one_that_is_there_is_left_alone_unless_asked)
{
    static const struct tar_entry other[] = { { "other", '0', 0644, "" }, { NULL, 0, 0, NULL } };
    struct install_request request = request_for("1.0.0");

    (void)unused;
    assert_ok(install_bytes("1.0.0", make_archive(&arena, good)));
    assert_ok(install_bytes("1.0.0", make_archive(&arena, other)));
    assert_true(fs_exists(home_entry("resource-tst-v1.0.0/pulumi-resource-tst")));
    request.file = below("archive.tar.gz");
    request.reinstalls = true;
    assert_ok(plugin_install(&request));
    assert_false(fs_exists(home_entry("resource-tst-v1.0.0/pulumi-resource-tst")));
    assert_true(fs_exists(home_entry("resource-tst-v1.0.0/other")));
}

ON_LOOP(one_that_a_crash_left_half_done_is_done_again)
{
    struct plugin_entries entries;

    (void)unused;
    assert_ok(fs_make_directory(home_entry("resource-tst-v1.0.0"), 0700));
    assert_ok(fs_create(home_entry("resource-tst-v1.0.0/half"), STR(""), 0600));
    assert_ok(fs_create(home_entry("resource-tst-v1.0.0.partial"), STR(""), 0600));
    assert_ok(fs_make_directory(home_entry("resource-tst-v1.0.0.tmp123"), 0700));
    assert_ok(plugin_cache_list(&arena, below("home"), &entries));
    assert_int_equal(entries.len, 0);
    assert_ok(install_bytes("1.0.0", make_archive(&arena, good)));
    assert_false(fs_exists(home_entry("resource-tst-v1.0.0/half")));
    assert_false(fs_exists(home_entry("resource-tst-v1.0.0.tmp123")));
    assert_true(fs_exists(home_entry("resource-tst-v1.0.0/pulumi-resource-tst")));
}

ON_LOOP(removal_takes_all_that_lies_beside)
{
    str folder = home_entry("resource-tst-v1.0.0"), *names;
    size_t count;
    int lock;

    (void)unused;
    assert_ok(install_bytes("1.0.0", make_archive(&arena, good)));
    plugin_cache_mark_used(folder);
    assert_ok(plugin_cache_lock(folder, &lock));
    assert_ok(plugin_cache_remove(folder));
    fs_unlock(lock);
    assert_ok(fs_list(&arena, below("home/plugins"), &names, &count));
    assert_int_equal(count, 0);
}

/* --- what is refused --- */

static void assert_hostile(struct tar_entry entry, const char *text)
{
    const struct tar_entry entries[] = { { "pulumi-resource-tst", '0', 0755, "x" },
                                         entry,
                                         { NULL, 0, 0, NULL } };
    struct error *failure = install_bytes("6.6.6", make_archive(&arena, entries));

    assert_non_null(failure);
    assert_int_equal(error_kind(failure), ERROR_INVALID);
    if (str_find(error_message(failure), str_from(text)) == SIZE_MAX)
        print_error("other error: " STR_FMT "\n", STR_ARG(error_message(failure)));
    assert_true(str_find(error_message(failure), str_from(text)) != SIZE_MAX);
    error_free(failure);
    assert_absent("6.6.6");
}

ON_LOOP(names_that_lead_out_are_refused)
{
    static const char *const names[] = { "../evil", "a/../../evil", "/tmp/install-test-evil",
                                         "a/..",    "..",           "x/../evil" };

    (void)unused;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        assert_hostile((struct tar_entry){ names[i], '0', 0644, "evil" },
                       "escapes destination directory");
    assert_hostile((struct tar_entry){ "../evil/", '5', 0755, NULL },
                   "escapes destination directory");
    assert_false(fs_exists(home_entry("evil")));
    assert_false(fs_exists(STR("/tmp/install-test-evil")));
}

ON_LOOP(links_that_lead_out_are_refused)
{
    static const char *const targets[] = { "/etc/passwd", "..",   "../x",
                                           "a/../../x",   "a/..", "./../x" };

    (void)unused;
    for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
        assert_hostile((struct tar_entry){ "link", '2', 0777, targets[i] },
                       "escapes destination directory");
    assert_hostile((struct tar_entry){ "d/link", '2', 0777, "../../x" },
                   "escapes destination directory");
}

ON_LOOP(nothing_is_written_through_a_link)
{
    static const struct tar_entry entries[] = {
        { "d/inner/", '5', 0755, NULL },
        { "link", '2', 0777, "d" },
        { "link/inner/file", '0', 0644, "x" },
        { NULL, 0, 0, NULL },
    };

    (void)unused;
    assert_fails(install_bytes("1.0.0", make_archive(&arena, entries)), ERROR_INVALID,
                 "in the way of a folder");
    assert_absent("1.0.0");
}

ON_LOOP(a_file_replaces_a_link_and_not_what_it_points_to)
{
    static const struct tar_entry entries[] = {
        { "target", '0', 0644, "kept" },
        { "name", '2', 0777, "target" },
        { "name", '0', 0644, "new" },
        { NULL, 0, 0, NULL },
    };
    str text;

    (void)unused;
    assert_ok(install_bytes("1.0.0", make_archive(&arena, entries)));
    assert_ok(fs_read(&arena, home_entry("resource-tst-v1.0.0/target"), 100, &text));
    assert_str_equal(text, STR("kept"));
}

ON_LOOP(devices_and_hard_links_are_refused)
{
    (void)unused;
    assert_hostile((struct tar_entry){ "device", '3', 0644, NULL }, "unexpected plugin file type");
    assert_hostile((struct tar_entry){ "pipe", '6', 0644, NULL }, "unexpected plugin file type");
    assert_hostile((struct tar_entry){ "hard", '1', 0644, "/etc/passwd" },
                   "unexpected plugin file type");
}

ON_LOOP(an_archive_cut_off_anywhere_is_refused)
{
    str whole = make_archive(&arena, good);

    (void)unused;
    for (size_t len = 2; len < whole.len; len += len < whole.len - 12 ? 7 : 1) {
        struct error *failure = install_bytes("1.0.0", str_slice(whole, 0, len));
        assert_non_null(failure);
        error_free(failure);
        assert_absent("1.0.0");
    }
}

ON_LOOP(a_file_that_is_nothing_is_refused)
{
    (void)unused;
    assert_fails(install_bytes("1.0.0", STR("just text")), ERROR_INVALID,
                 "neither a tar.gz archive nor executable");
    assert_absent("1.0.0");
}

ON_LOOP(bad_names_are_refused)
{
    struct install_request request = request_for("1.0.0");

    (void)unused;
    request.package.kind = STR("bogus");
    assert_fails(plugin_install(&request), ERROR_INVALID, "unrecognized plugin kind: bogus");
    request.package.kind = STR("resource");
    request.package.name = STR("../x");
    assert_fails(plugin_install(&request), ERROR_INVALID, "invalid plugin name '../x'");
    request.package.name = STR("tst");
    request.package.version = STR("../1");
    assert_fails(plugin_install(&request), ERROR_INVALID, "invalid plugin semver");
    assert_false(fs_exists(below("home")));
}

/* --- servers --- */

static struct error *install_served(const char *version, const str *answers, size_t count,
                                    str checksum)
{
    struct install_request request = request_for(version);

    server_open(&server, answers, count);
    request.package.download_url =
        server_url(&arena, &server, "/${NAME}/${VERSION}/${OS}/$%7BARCH%7D/");
    request.checksum = checksum;
    struct error *failure = plugin_install(&request);
    server.last_request = arena_copy(&arena, server.last_request);
    server_close(&server);
    return failure;
}

ON_LOOP(a_server_is_asked_by_its_template)
{
    str bytes = make_archive(&arena, good), answer = answer_with(&arena, "200 OK", bytes);
    str platform = plugin_platform(), os, arch;

    (void)unused;
    assert_ok(install_served("1.2.3", &answer, 1, hash_sha256_hex(&arena, bytes)));
    assert_true(fs_exists(home_entry("resource-tst-v1.2.3/pulumi-resource-tst")));
    assert_true(str_cut(platform, STR("-"), &os, &arch));
    str wanted =
        arena_concat(&arena, STR("GET /tst/1.2.3/"), os, STR("/"), arch,
                     STR("/pulumi-resource-tst-v1.2.3-"), platform, STR(".tar.gz HTTP/1.1\r\n"));
    assert_true(str_starts_with(server.last_request, wanted));
}

ON_LOOP(a_wrong_checksum_is_refused_at_once)
{
    str answer = answer_with(&arena, "200 OK", make_archive(&arena, good));

    (void)unused;
    assert_fails(install_served("1.2.3", &answer, 1, STR("00ff")), ERROR_INVALID,
                 "invalid checksum, expected 00ff");
    assert_int_equal(server.served, 1);
    assert_absent("1.2.3");
}

ON_LOOP(what_fails_for_the_moment_is_tried_again)
{
    const str answers[] = { answer_with(&arena, "503 Busy", STR("")),
                            STR("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\ncut"),
                            answer_with(&arena, "200 OK", make_archive(&arena, good)) };

    (void)unused;
    assert_ok(install_served("1.2.3", answers, 3, STR("")));
    assert_int_equal(retries, 2);
    assert_true(fs_exists(home_entry("resource-tst-v1.2.3/pulumi-resource-tst")));
}

ON_LOOP(five_attempts_are_all)
{
    str answer = answer_with(&arena, "500 Oh", STR(""));

    (void)unused;
    assert_fails(install_served("1.2.3", &answer, 1, STR("")), ERROR_OTHER,
                 "failed all 5 attempts: 500 HTTP error fetching plugin from http://127.0.0.1:");
    assert_int_equal(server.served, 5);
    assert_absent("1.2.3");
}

ON_LOOP(one_that_is_not_there_is_not_tried_again)
{
    str answer = answer_with(&arena, "404 Not Found", STR(""));

    (void)unused;
    assert_fails(install_served("1.2.3", &answer, 1, STR("")), ERROR_NOT_FOUND,
                 "404 HTTP error fetching plugin");
    assert_int_equal(server.served, 1);
    assert_absent("1.2.3");
}

struct rival {
    struct install_request request;
    struct work_group *busy;
};

static void install_rival(void *rival_)
{
    struct rival *rival = rival_;
    assert_ok(plugin_install(&rival->request));
    work_group_done(rival->busy);
}

ON_LOOP(of_many_at_once_one_downloads)
{
    str answer = answer_with(&arena, "200 OK", make_archive(&arena, good));
    struct work_group busy = { 0 };
    struct rival rivals[5];

    (void)unused;
    server_open(&server, &answer, 1);
    for (size_t i = 0; i < 5; i++) {
        rivals[i] = (struct rival){ request_for("1.2.3"), &busy };
        rivals[i].request.package.download_url = server_url(&arena, &server, "");
        work_group_add(&busy, 1);
        fiber_spawn(install_rival, &rivals[i]);
    }
    work_group_wait_uncancelable(&busy);
    assert_int_equal(server.served, 1);
    server_close(&server);
}

/* --- places --- */

static void places_follow_from_the_url(void **state)
{
    struct install_request request = request_for("1.2.3");
    struct install_sources sources;
    str archive = install_archive_name(&arena, &request);

    (void)state;
    assert_ok(install_find_sources(&request, &arena, &sources));
    assert_int_equal(sources.len, 3);
    assert_str_equal(
        sources.items[0].url,
        arena_concat(&arena, STR("https://github.com/pulumi/pulumi-tst/releases/download/v1.2.3/"),
                     archive));
    assert_str_equal(sources.items[1].url,
                     STR("https://api.github.com/repos/pulumi/pulumi-tst/releases/tags/v1.2.3"));
    assert_str_equal(
        sources.items[2].url,
        arena_concat(&arena, STR("https://get.pulumi.com/releases/plugins/"), archive));

    request.package.download_url = STR("github://git.example.com/org/repo");
    request.github_token = STR("secret");
    assert_ok(install_find_sources(&request, &arena, &sources));
    assert_int_equal(sources.len, 1);
    assert_str_equal(sources.items[0].url,
                     STR("https://git.example.com/repos/org/repo/releases/tags/v1.2.3"));
    assert_str_equal(sources.items[0].headers[1], STR("Authorization: token secret"));

    request.package.download_url = STR("gitlab://gitlab.example.com/42");
    assert_ok(install_find_sources(&request, &arena, &sources));
    assert_str_equal(
        sources.items[0].url,
        arena_concat(
            &arena, STR("https://gitlab.example.com/api/v4/projects/42/releases/v1.2.3/downloads/"),
            archive));

    request.package.download_url = STR("github://nowhere");
    assert_fails(install_find_sources(&request, &arena, &sources), ERROR_INVALID,
                 "github://HOST/OWNER");
    request.package.download_url = STR("ftp://x");
    assert_fails(install_find_sources(&request, &arena, &sources), ERROR_INVALID,
                 "begins with none of");
}

static void overrides_replace_places(void **state)
{
    struct install_request request = request_for("1.2.3");
    struct install_sources sources;

    (void)state;
    request.url_overrides =
        STR("^nothing=http://no,^github://api\\.github\\.com/([^/]+)/(.*)$=http://mirror/$1/${2}");
    assert_ok(install_find_sources(&request, &arena, &sources));
    assert_int_equal(sources.len, 2);
    assert_true(str_starts_with(sources.items[0].url,
                                STR("http://mirror/pulumi/pulumi-tst/pulumi-resource-tst-v1")));
    request.url_overrides = STR("no equals sign");
    assert_fails(install_find_sources(&request, &arena, &sources), ERROR_INVALID, "regexp=URL");
    request.url_overrides = STR("(=x");
    assert_fails(install_find_sources(&request, &arena, &sources), ERROR_INVALID, "regexp=URL");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_archive_is_unpacked),
        TEST(what_is_not_on_the_disk_is_not_installed),
        TEST(versions_lie_side_by_side),
        TEST(an_executable_gets_the_name_of_the_plugin),
        TEST(a_folder_is_copied),
        TEST(one_that_is_there_is_left_alone_unless_asked),
        TEST(one_that_a_crash_left_half_done_is_done_again),
        TEST(removal_takes_all_that_lies_beside),
        TEST(names_that_lead_out_are_refused),
        TEST(links_that_lead_out_are_refused),
        TEST(nothing_is_written_through_a_link),
        TEST(a_file_replaces_a_link_and_not_what_it_points_to),
        TEST(devices_and_hard_links_are_refused),
        TEST(an_archive_cut_off_anywhere_is_refused),
        TEST(a_file_that_is_nothing_is_refused),
        TEST(bad_names_are_refused),
        TEST(a_server_is_asked_by_its_template),
        TEST(a_wrong_checksum_is_refused_at_once),
        TEST(what_fails_for_the_moment_is_tried_again),
        TEST(five_attempts_are_all),
        TEST(one_that_is_not_there_is_not_tried_again),
        TEST(of_many_at_once_one_downloads),
        TEST(places_follow_from_the_url),
        TEST(overrides_replace_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
