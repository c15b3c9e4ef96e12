/* diy_layout.h — which name holds what in a store that keeps the files of the reference, be it a
 * directory or a bucket. No I/O. */
#pragma once

#include "backend/backend.h"
#include "backend/compression.h"

#define DIY_META ".pulumi/meta.yaml"
#define DIY_META_TEXT "version: 1\n"

struct diy_layout {
    str root; /* what comes before .pulumi: empty, or with a / at its end */
    bool is_legacy;
};

/* --- names; they live in the arena --- */

/* .pulumi/stacks/PROJECT/STACK<extension> */
str diy_stack_path(struct diy_layout layout, struct arena *arena, struct stack_ref stack,
                   const char *extension);
/* Without a / at the end. */
str diy_stacks_folder(struct diy_layout layout, struct arena *arena);
str diy_history_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack);
str diy_backup_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack);
str diy_lock_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack);
/* Of stores of objects: the records of an operation. Unknown to the reference. */
str diy_journal_folder(struct diy_layout layout, struct arena *arena, struct stack_ref stack);

/* What one operation adds: the entry, the checkpoint it left, and a backup of that. */
struct diy_history_names {
    str entry;
    str checkpoint;
    str backup;
};
struct diy_history_names diy_history_names(struct diy_layout layout, struct arena *arena,
                                           struct stack_ref stack, int64_t stamp,
                                           enum compression entry, enum compression checkpoint);
bool diy_is_history_entry(str name);
/* Of `count` things, those of the page: from *start on, before *end. */
void diy_page(size_t count, size_t page, size_t page_size, size_t *start, size_t *end);

/* "dev.json.gz" → "dev"; false for files that are no stack. */
bool diy_stack_of_file(str name, str *out);
/* By project and name; of a stack that has files in several formats one stays. */
void diy_sort_stacks(struct stack_summary *items, size_t *len);
/* What a file of the stack is called after a rename. */
str diy_renamed(struct arena *arena, str name, struct stack_ref stack, struct stack_ref renamed);
/* From the URN of the first resource. */
fallible diy_guess_project(const struct snapshot *snapshot, str *out);

/* --- what the store and the options say --- */

fallible diy_compression(const struct diy_options *options, enum compression *out);
fallible diy_meta_parse(str text, uint64_t *version);
/* Refuses versions of the layout that cannot be used. `place` is for the message. */
fallible diy_check_version(uint64_t version, const struct diy_options *options, str place);
