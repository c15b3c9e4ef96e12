/* fuzz_update_plan.c — a plan that was read is written so that it reads the same, and a second
 * writing changes nothing. */
#include "fuzz/fuzz_support.h"

#include "base/clock.h"
#include "engine/plan/update_plan.h"
#include "model/crypter.h"

static struct error *keep(struct crypter *crypter, str text, struct arena *arena, str *out)
{
    (void)crypter;
    *out = arena_copy(arena, text);
    return NULL;
}

static struct crypter open_crypter = { .seal = keep, .unseal = keep };

static str write_plan(struct arena *arena, struct update_plan *plan)
{
    str text;

    REQUIRE(fuzz_accepts(update_plan_write(plan, STR("{}"), &open_crypter, arena, &text)));
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str text = { (const char *)data, size };
    struct update_plan *plan, *again;

    clock_fake(NS_PER_S);
    if (fuzz_accepts(update_plan_parse(&arena, text, &open_crypter, &plan))) {
        str written = write_plan(&arena, plan);
        REQUIRE(fuzz_accepts(update_plan_parse(&arena, written, &open_crypter, &again)));
        REQUIRE(plan->resources.len == again->resources.len);
        REQUIRE(str_equal(written, write_plan(&arena, again)));
        update_plan_release(again);
    }
    update_plan_release(plan);
    return 0;
}
