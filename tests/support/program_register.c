/* program_register.c — the entry of a script that registers a resource. */
#include "support/callbacks.h"
#include "support/program_request.h"

#include "proto/message.h"
#include "support/json_value.h"
#include "support/message_json.h"

#include "pb/resource.pb-c.h"

static char *parent_of(struct program *program, struct value entry, char *given)
{
    struct value parent = object_get(entry, STR("parent"));

    if (object_flag(entry, STR("noParent")))
        return request_text(program, STR(""));
    if (parent.kind == VALUE_NULL)
        return request_text(program, program->root);
    return parent.kind == VALUE_STRING
               ? request_text(program, program_urn(program, value_text(parent)))
               : given;
}

/* Resolves the properties one by one, because each has dependencies of its own; `all` gets them
 * together. */
static fallible put_properties(struct program *program, struct value entry,
                               Pb__RegisterResourceRequest *request, struct urns *all)
{
    struct arena *arena = program->arena;
    struct value given = object_get(entry, STR("props"));
    size_t len = given.kind == VALUE_OBJECT ? given.len : 0,
           before = request->n_property_dependencies;
    struct member *members = ARENA_ARRAY(arena, struct member, len + 1);
    Pb__UrnsEntry **entries = ARENA_ARRAY(arena, Pb__UrnsEntry *, before + len + 1);

    if (before)
        memcpy(entries, request->property_dependencies, before * sizeof(*entries));
    for (size_t i = 0; i < len; i++) {
        CLEANUP(urns_release) struct urns own = { 0 };
        members[i].key = given.members[i].key;
        TRY(error_wrap(program_resolve(program, given.members[i].value, &own, &members[i].value),
                       STR_FMT, STR_ARG(members[i].key)));
        struct strs urns = urns_sorted(arena, &own);
        for (size_t j = 0; j < urns.len; j++)
            urns_add(all, urns.items[j]);
        if (urns.len == 0 && !request->remote)
            continue;
        struct property_dependency dependency = { members[i].key, urns };
        entries[request->n_property_dependencies++] =
            message_urns_entries(arena, (struct property_dependencies){ &dependency, 1 })[0];
    }
    request->property_dependencies = entries;
    request->_object_case = PB__REGISTER_RESOURCE_REQUEST___OBJECT_OBJECT;
    return request_put_struct(program, value_object(arena, members, len), &request->object);
}

/* Providers by package, and the resources that others are named in relation to. */
static void put_relations(struct program *program, struct value entry,
                          Pb__RegisterResourceRequest *request)
{
    struct arena *arena = program->arena;
    struct value providers = object_get(entry, STR("providers"));
    struct strs with = object_strs(arena, entry, STR("replaceWith"));
    str deleted_with = object_text(entry, STR("deletedWith"));

    request_put_provider(program, entry, &request->provider);
    if (providers.kind == VALUE_OBJECT) {
        request->providers = ARENA_ARRAY(arena, Pb__StringEntry *, providers.len + 1);
        request->n_providers = providers.len;
        for (size_t i = 0; i < providers.len; i++) {
            str label = value_as_text(arena, providers.members[i].value);
            request->providers[i] = ARENA_NEW(arena, Pb__StringEntry);
            *request->providers[i] = (Pb__StringEntry)PB__STRING_ENTRY__INIT;
            request->providers[i]->key = request_text(program, providers.members[i].key);
            request->providers[i]->value = request_text(program, program_provider(program, label));
        }
    }
    if (deleted_with.len)
        request->deleted_with = request_text(program, program_urn(program, deleted_with));
    char **list = ARENA_ARRAY(arena, char *, request->n_replace_with + with.len + 1);
    if (request->n_replace_with)
        memcpy(list, request->replace_with, request->n_replace_with * sizeof(*list));
    for (size_t i = 0; i < with.len; i++)
        list[request->n_replace_with++] =
            request_text(program, program_urn(program, with.items[i]));
    request->replace_with = list;
}

static fallible put_transforms(struct program *program, struct value entry,
                               Pb__RegisterResourceRequest *request)
{
    struct value list = object_get(entry, STR("transforms"));
    Pb__Callback **transforms;

    if (list.kind != VALUE_ARRAY)
        return NULL;
    transforms = ARENA_ARRAY(program->arena, Pb__Callback *, request->n_transforms + list.len + 1);
    if (request->n_transforms)
        memcpy(transforms, request->transforms, request->n_transforms * sizeof(*transforms));
    request->transforms = transforms;
    for (size_t i = 0; i < list.len; i++)
        TRY(callbacks_add(program->callbacks, STR("transform"), list.items[i], program->arena,
                          &transforms[request->n_transforms++]));
    return NULL;
}

static fallible make_registration(struct program *program, struct value entry, str label,
                                  Pb__RegisterResourceRequest **out)
{
    CLEANUP(urns_release) struct urns all = { 0 };
    struct strs after = object_strs(program->arena, entry, STR("dependsOn"));
    bool is_remote = object_flag(entry, STR("remote"));
    void *message;

    TRY(error_wrap(
        request_from_options(program, entry, &pb__register_resource_request__descriptor, &message),
        "opts"));
    Pb__RegisterResourceRequest *request = message;
    request->type = request_text(program, object_text(entry, STR("type")));
    request->name = request_text(program, request_name(entry, label));
    request->custom = !object_flag(entry, STR("component")) && !is_remote;
    request->remote = is_remote;
    request->accept_secrets = request->accept_resources = request->alias_specs = true;
    request->supports_partial_values = request->supports_result_reporting = true;
    request->parent = parent_of(program, entry, request->parent);
    TRY(put_properties(program, entry, request, &all));
    for (size_t i = 0; i < after.len; i++)
        urns_add(&all, program_urn(program, after.items[i]));
    message_put_strs(program->arena, request, dependencies, urns_sorted(program->arena, &all));
    put_relations(program, entry, request);
    TRY(request_put_package(program, entry, &request->package_ref));
    TRY(put_transforms(program, entry, request));
    *out = request;
    return NULL;
}

fallible program_register(struct program *program, struct value entry)
{
    str label = object_text(entry, STR("resource"));
    Pb__RegisterResourceRequest *request = NULL;
    struct value outputs;
    void *answer;

    TRY(error_wrap(make_registration(program, entry, label, &request), STR_FMT, STR_ARG(label)));
    struct error *failure =
        request_send(program, MONITOR("RegisterResource"), label, &request->base,
                     &pb__register_resource_response__descriptor, &answer);
    if (failure) {
        program_bind(program, label, (struct binding){ .outputs = VALUE_EMPTY_OBJECT });
        return failure;
    }
    const Pb__RegisterResourceResponse *response = answer;
    TRY(message_struct(program->arena, message_get_bytes(response, object), &outputs));
    program_bind(program, label,
                 (struct binding){ .urn = message_str(response->urn),
                                   .id = message_str(response->id),
                                   .outputs = outputs,
                                   .is_known = !program->is_preview && !response->unknown });
    return NULL;
}
