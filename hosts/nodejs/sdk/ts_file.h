/* ts_file.h — one file of the SDK under way. Its body is printed first: what that mentions is what
 * the head imports. */
#pragma once

#include "base/strbuf.h"
#include "nodejs/sdk/ts_names.h"

struct ts_file {
    struct ts_sdk *sdk;
    str folder; /* where it lies in the SDK; empty: at its root */
    struct arena arena;
    struct strbuf body;
    unsigned indent;
    str own_token; /* of a resource: it does not import itself … */
    str own_class; /* … and nothing else under its own name */
    bool uses_pulumi;
    bool uses_inputs;
    bool uses_outputs;
    bool uses_enums;
    bool uses_utilities;
    struct map packages; /* variable → str * of the npm package */
    struct map classes;  /* variable → struct ts_class_import * */
};

void ts_file_init(struct ts_file *file, struct ts_sdk *sdk, str folder);
void ts_file_release(struct ts_file *file);
/* Puts head and body together and hands the file over. The name is within its folder. */
fallible ts_file_write(struct ts_file *file, str name);

struct strs ts_sorted_keys(struct arena *arena, const struct map *map);

/* One line, indented. */
void ts_line(struct ts_file *file, const char *format, ...) PRINTF(2, 3);
void ts_blank(struct ts_file *file);
/* What opens a block, and what closes it. */
void ts_open(struct ts_file *file, const char *format, ...) PRINTF(2, 3);
void ts_close(struct ts_file *file, const char *text);
/* Part of a line. */
void ts_begin(struct ts_file *file);
void ts_put(struct ts_file *file, const char *format, ...) PRINTF(2, 3);
void ts_end(struct ts_file *file, const char *text);

/* A path of the SDK as the file imports it: "../types/input". */
str ts_file_path_to(struct ts_file *file, str path);
/* The variable of another package, which is imported. */
str ts_file_package(struct ts_file *file, const struct schema *other);
/* The variable of a class of this package, which is imported unless it is the file's own. */
str ts_file_class(struct ts_file *file, const struct schema_type *type);

/* --- documentation --- */

/* Nothing if both are empty. */
void ts_doc(struct ts_file *file, str text, str deprecation);
/* The same of a resource or function: examples in other languages are left out. */
void ts_doc_with_examples(struct ts_file *file, str text, str deprecation);
/* The text with examples of this language only, and of shells. */
str ts_doc_examples(struct arena *arena, str text);
