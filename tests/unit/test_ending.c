/* test_ending.c — files that go with the process, whichever signal ends it. */
#include "unit/place.h"

#include "base/ending.h"
#include "base/fs.h"
#include "base/keyboard.h"
#include "fiber/fiber.h"
#include "fiber/signals.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct death {
    int signal_number;
    void (*before)(void);
};

static void nothing(void)
{
}

static void do_nothing(int signal_number, void *context)
{
    (void)signal_number, (void)context;
}

static void watch_and_unwatch(void *unused)
{
    (void)unused;
    assert_ok(signals_watch_endings(do_nothing, NULL));
    assert_ok(signals_watch_endings(NULL, NULL));
}

static void watch_for_a_while(void)
{
    assert_ok(scheduler_run(watch_and_unwatch, NULL));
}

static void ask_for_a_while(void)
{
    keyboard_enter(KEYBOARD_KEYS);
    keyboard_enter(KEYBOARD_USUAL);
}

static void ask(void)
{
    keyboard_enter(KEYBOARD_KEYS);
}

static void a_signal_that_ends_us_takes_the_files_along(void **state)
{
    static const struct death deaths[] = {
        { SIGTERM, nothing },           { SIGINT, nothing },          { SIGHUP, nothing },
        { SIGTERM, watch_for_a_while }, { SIGHUP, ask_for_a_while },  { SIGHUP, ask },
        { SIGINT, watch_for_a_while },  { SIGTERM, ask_for_a_while }, { SIGTERM, ask },
    };
    struct place *place = *state;
    str folder = fs_path_join(&place->arena, place->root, STR("folder"));
    str file = fs_path_join(&place->arena, folder, STR("file"));
    int status;

    for (size_t i = 0; i < sizeof(deaths) / sizeof(*deaths); i++) {
        assert_ok(fs_make_directory(folder, 0700));
        assert_ok(fs_create(file, STR("secret"), 0600));
        pid_t child = fork();
        if (child == 0) {
            ending_add(folder);
            ending_add(file);
            deaths[i].before();
            raise(deaths[i].signal_number);
            _exit(1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == deaths[i].signal_number);
        assert_false(fs_exists(folder));
    }
}

static void what_is_forgotten_stays(void **state)
{
    struct place *place = *state;
    str kept = fs_path_join(&place->arena, place->root, STR("a"));
    str other = fs_path_join(&place->arena, place->root, STR("ab"));
    struct sigaction action;

    assert_ok(fs_create(kept, STR("x"), 0600));
    assert_ok(fs_create(other, STR("x"), 0600));
    ending_add(kept);
    ending_add(other);
    ending_forget(kept);
    ending_remove();
    assert_true(fs_exists(kept));
    assert_false(fs_exists(other));
    ending_forget(place->root);
    assert_int_equal(sigaction(SIGTERM, NULL, &action), 0);
    assert_ptr_equal(action.sa_handler, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_signal_that_ends_us_takes_the_files_along, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(what_is_forgotten_stays, make_place, remove_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
