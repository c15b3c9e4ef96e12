/* analyzer_answer.c — what policy packs say of resources: violations and remediations. */
#include "plugin/language/analyzer_answer.h"

#include "proto/marshal.h"
#include "proto/message.h"

/* A pack that leaves the severity out means that of its policy. */
static int severity_of(const Pb__AnalyzerInfo *info, const Pb__AnalyzeDiagnostic *diagnostic)
{
    for (size_t i = 0; diagnostic->severity == 0 && i < info->n_policies; i++)
        if (strcmp(info->policies[i]->name, diagnostic->policy_name) == 0)
            return (int)info->policies[i]->severity;
    return (int)diagnostic->severity;
}

static struct strs names_of(struct arena *arena, Pb__PolicyNotApplicable *const *list, size_t len)
{
    str *names = ARENA_ARRAY(arena, str, len + 1);

    for (size_t i = 0; i < len; i++)
        names[i] = message_str(list[i]->policy_name);
    return (struct strs){ names, len };
}

static str version_of(struct analyzer_facts facts, const char *reported)
{
    return facts.version.len ? facts.version : message_str(reported);
}

void analyzer_take_violations(struct analyzer_facts facts, struct arena *arena,
                              const Pb__AnalyzeResponse *answer, struct policy_violations *out)
{
    *out = (struct policy_violations){ 0 };
    if (!answer)
        return;
    out->not_applicable = names_of(arena, answer->not_applicable, answer->n_not_applicable);
    out->items = ARENA_ARRAY(arena, struct policy_violation, answer->n_diagnostics + 1);
    for (size_t i = 0; i < answer->n_diagnostics; i++) {
        const Pb__AnalyzeDiagnostic *diagnostic = answer->diagnostics[i];
        unsigned level = (unsigned)diagnostic->enforcement_level;
        out->items[out->len++] = (struct policy_violation){
            .policy = message_str(diagnostic->policy_name),
            .pack = message_str(diagnostic->policy_pack_name),
            .pack_version = version_of(facts, diagnostic->policy_pack_version),
            .description = message_str(diagnostic->description),
            .message = message_str(diagnostic->message),
            .level = level <= POLICY_REMEDIATE ? (enum policy_level)level : POLICY_MANDATORY,
            .severity = severity_of(facts.info, diagnostic),
            .urn = message_str(diagnostic->urn),
        };
    }
}

fallible analyzer_take_remediations(struct analyzer_facts facts, struct arena *arena,
                                    const Pb__RemediateResponse *answer, struct remediations *out)
{
    const struct unmarshal_options options = {
        .keep_unknowns = true, .keep_secrets = true, .keep_resources = true, .label = "Remediate"
    };

    *out = (struct remediations){ 0 };
    if (!answer)
        return NULL;
    out->not_applicable = names_of(arena, answer->not_applicable, answer->n_not_applicable);
    out->items = ARENA_ARRAY(arena, struct remediation, answer->n_remediations + 1);
    for (size_t i = 0; i < answer->n_remediations; i++) {
        const Pb__Remediation *message = answer->remediations[i];
        str bytes = message_get_bytes(message, properties);
        struct remediation *remediation = &out->items[out->len++];
        *remediation = (struct remediation){
            .policy = message_str(message->policy_name),
            .pack = message_str(message->policy_pack_name),
            .pack_version = version_of(facts, message->policy_pack_version),
            .description = message_str(message->description),
            .has_properties = bytes.ptr != NULL,
            .diagnostic = message_str(message->diagnostic),
        };
        TRY(properties_unmarshal(arena, bytes, &options, &remediation->properties));
    }
    return NULL;
}
