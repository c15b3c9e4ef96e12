/* fuzz_service.c — answers of the hosted service of any content: what is read of them stays within
 * bounds, what may be shown cannot command a terminal, and a configuration and a difference of
 * states read back the same. */
#include "fuzz/fuzz_support.h"

#include "backend/backend_service.h"
#include "support/delta_apply.h"
#include "service/service.h"
#include "service/service_decode.h"
#include "service/service_deployment.h"
#include "service/service_environment.h"
#include "service/service_login.h"

static void read_answers(struct arena *arena, str input)
{
    struct service_environment environment;
    struct service_log log;
    struct service_user user;
    struct service_capabilities capabilities;
    struct service_stack stack;
    struct service_stack_page page;
    struct service_created created;
    struct service_lease lease;
    struct service_status status;
    struct service_grant grant;
    struct strs texts;
    struct pairs pairs;
    str text;

    if (fuzz_accepts(service_user_read(arena, input, &user)))
        REQUIRE(user.name.len > 0);
    if (fuzz_accepts(service_capabilities_read(arena, input, &capabilities)))
        REQUIRE(capabilities.delta_cutoff >= 0 && capabilities.schema_version >= 0);
    if (fuzz_accepts(service_stack_read(arena, input, &stack)))
        REQUIRE(stack.busy_since >= 0);
    if (fuzz_accepts(service_stack_page_read(arena, input, &page)))
        for (size_t i = 0; i < page.len; i++)
            REQUIRE(page.items[i].name.len > 0 && page.items[i].last_update >= SERVICE_NO_NUMBER);
    if (fuzz_accepts(service_created_read(arena, input, &created)))
        REQUIRE(created.id.len > 0);
    if (fuzz_accepts(service_lease_read(arena, input, &lease)))
        REQUIRE(lease.token.len > 0);
    if (fuzz_accepts(service_grant_read(arena, input, &grant)))
        REQUIRE(grant.access_token.len > 0);
    if (fuzz_accepts(service_environment_parse(arena, input, &environment)))
        REQUIRE(environment.config.kind == VALUE_OBJECT
                && environment.variables.kind == VALUE_OBJECT);
    struct secret token;
    if (service_login_answer(arena, input, STR("n"), &token))
        REQUIRE(token.hidden_len > 0 && token.hidden_len < input.len);
    (void)fuzz_accepts(service_log_read(arena, input, &log));
    (void)fuzz_accepts(service_status_read(arena, input, &status));
    (void)fuzz_accepts(service_default_organization_read(arena, input, &text));
    (void)fuzz_accepts(service_import_read(arena, input, &text));
    (void)fuzz_accepts(service_texts_read(arena, input, "ciphertexts", &texts));
    (void)fuzz_accepts(service_pairs_read(arena, input, "plaintexts", &pairs));
}

static void read_refusal(struct arena *arena, str input)
{
    struct service_answer answer = { 0 };

    service_refusal_read(arena, 500, input, &answer);
    REQUIRE(!service_answer_is_good(&answer));
    REQUIRE(str_is_utf8(answer.message));
    for (size_t i = 0; i < answer.message.len; i++)
        REQUIRE((unsigned char)answer.message.ptr[i] >= ' ' || answer.message.ptr[i] == '\n'
                || answer.message.ptr[i] == '\t');
    REQUIRE(!fuzz_accepts(service_refusal(&answer)));
}

/* What the service keeps of a configuration is the configuration again. */
static void read_config(struct arena *arena, str input)
{
    CLEANUP(strbuf_release) struct strbuf first = { 0 };
    CLEANUP(strbuf_release) struct strbuf second = { 0 };
    struct json_writer writer = { .out = &first }, again = { .out = &second };
    str config, config_again;

    if (!fuzz_accepts(service_config_write(&writer, arena, input)))
        return;
    REQUIRE(fuzz_accepts(service_config_read(arena, strbuf_str(&first), &config)));
    REQUIRE(fuzz_accepts(service_config_write(&again, arena, config)));
    REQUIRE(fuzz_accepts(service_config_read(arena, strbuf_str(&second), &config_again)));
    REQUIRE(str_equal(config, config_again));
    (void)fuzz_accepts(service_config_read(arena, input, &config));
}

static void find_difference(struct arena *arena, str old, str new)
{
    CLEANUP(strbuf_release) struct strbuf result = { 0 };
    struct delta delta;

    if (!fuzz_accepts(delta_find(arena, old, new, &delta)))
        return;
    delta_apply(&delta, old, &result);
    REQUIRE(str_equal(strbuf_str(&result), new));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str input = { (const char *)data, size }, rest = input;
    str first = fuzz_part(&rest);
    struct snapshot snapshot;
    bool has_deployment;

    read_answers(&arena, input);
    read_refusal(&arena, input);
    read_config(&arena, input);
    find_difference(&arena, first, rest);
    (void)fuzz_accepts(service_deployment_read(&arena, input, &snapshot, &has_deployment));
    return 0;
}
