/* urn.h — the stable name of a resource: urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME. */
#pragma once

#include "base/error.h"

/* Borrowed views into the text that was parsed; valid for as long as that text is. */
struct urn {
    str stack;
    str project;
    str qualified_type; /* parent types and own type, joined by '$' */
    str name;           /* anything at all, "::" included */
};

fallible urn_parse(str text, struct urn *out);

/* The own type: what follows the last '$' of the qualified type. */
str urn_type(const struct urn *urn);

str urn_format(struct arena *arena, const struct urn *urn);

/* The URN of a resource under `parent` (empty: none). The parent's types are a prefix unless the
 * parent is the root stack. */
str urn_make(struct arena *arena, str stack, str project, str parent, str type, str name);

/* Shortcuts for URNs that are known to be valid; empty for what is not. */
str urn_type_of(str urn);
str urn_qualified_type_of(str urn);
str urn_name_of(str urn);
str urn_stack_of(str urn);
str urn_project_of(str urn);

/* A provider reference: URN::ID, split at the last "::". */
fallible provider_ref_parse(str text, str *urn, str *id);
str provider_ref_format(struct arena *arena, str urn, str id);

/* "pulumi:providers:PKG". */
bool type_is_provider(str type);
str type_provider_package(str type); /* PKG of a provider type */
/* "pkg:mod:name" → "pkg"; empty if it has no colon. */
str type_package(str type);
/* Exactly two colons and no empty package or name. */
bool type_token_is_valid(str type);
#define ROOT_STACK_TYPE STR("pulumi:pulumi:Stack")
