/* go_type.h — a file of Go under way, and the types of a schema as its text. */
#pragma once

#include "base/strbuf.h"
#include "go/sdk/go_docs.h"
#include "go/sdk/go_sdk.h"

struct go_file {
    const struct go_sdk *sdk;
    const struct go_module *module; /* whose names need no package before them */
    bool is_generic;                /* arguments and outputs have the form with generics */
    struct arena *arena;
    struct strbuf out;   /* what is below the imports */
    struct map imports;  /* path → str *: the name it is used by; empty: that of its package */
    struct map packages; /* names of packages that are imported → path */
};
void go_file_release(struct go_file *file);

/* Something of a package that is imported, with what it is called here before it. */
void go_import(struct go_file *file, const char *path);
/* "internal": the package that all others of the SDK share. */
str go_internal(struct go_file *file);

/* $1 to $9 in the text are the words that follow. */
void go_put_list(struct strbuf *out, const char *text, const str *words, size_t len);
#define go_put(file, text, ...)                                     \
    go_put_list(&(file)->out, (text), (const str[]){ __VA_ARGS__ }, \
                sizeof((const str[]){ __VA_ARGS__ }) / sizeof(str))

/* A string of Go, in quotes. */
str go_quoted(struct arena *arena, str text);
/* Description and why it is deprecated, as a comment. */
void go_put_comment(struct go_file *file, str description, str deprecation, const char *indent);

/* The whole text of the file. */
void go_file_finish(struct go_file *file, struct strbuf *out);

/* --- types --- */

/* What the names of all forms of a type begin with: pulumi.String, store.RuleArray. */
str go_base_text(struct go_file *file, const struct schema_type *type);
/* The value itself: *string, []store.Rule. */
str go_plain_text(struct go_file *file, const struct schema_type *type, bool is_optional);
/* What an argument takes: pulumi.StringPtrInput; of what is plain the value. */
str go_argument_text(struct go_file *file, const struct schema_type *type, bool is_optional);
str go_output_text(struct go_file *file, const struct schema_type *type, bool is_optional);
/* --- the form with generics --- */

/* "pulumix": the package with it, which is imported. */
str go_pulumix(struct go_file *file);
/* What a call takes for a variable with arguments, some of which are secrets. */
str go_arguments(struct go_file *file, str variable, struct schema_properties properties);
/* A type of a package that has this form. */
bool go_has_generic_form(const struct go_file *file, const struct schema_type *type);
/* The value of a field in an object: objects are behind pointers, also in lists. */
str go_field_text(struct go_file *file, const struct schema_type *type, bool is_optional);
/* The value of an argument: *store.RuleArgs, []string. */
str go_boxed_text(struct go_file *file, const struct schema_type *type, bool is_optional);
/* The value of an output: *store.Rule, []store.Rule. */
str go_element_text(struct go_file *file, const struct schema_type *type, bool is_optional);
str go_generic_output_text(struct go_file *file, const struct schema_type *type, bool is_optional);

/* nil is a value of the type even where it must be given. */
bool go_is_nil_type(const struct schema_type *type);
bool go_is_any(const struct schema_type *type);
/* The simple type behind a type; TYPE_ANY if it has none. */
enum type_kind go_simple_kind(const struct schema_type *type);

/* The field of a struct. */
struct go_struct_field {
    str name;
    str type;
    str tag; /* the property, or empty */
    str description;
    str deprecation;
};
void go_put_struct_fields(struct go_file *file, const struct go_struct_field *fields, size_t len);
