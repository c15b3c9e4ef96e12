/* backend.h — where stacks live: their checkpoints, journals, locks, history and tags. */
#pragma once

#include "base/pairs.h"
#include "model/snapshot.h"

struct backend;
struct service;

/* PULUMI_DIY_BACKEND_…: for kinds that keep the files of the reference in a store of the user's. */
struct diy_options {
    bool compresses_gzip;
    bool compresses_zstd;
    bool retains_checkpoints;
    bool disables_backups;
    bool uses_legacy_layout;
    bool ignores_legacy_error;
};

struct backend_options {
    str url;  /* its scheme chooses the kind; as the user gave it */
    str home; /* for ~ in the URL */
    str user; /* for locks */
    str host;
    struct diy_options diy;
    struct service *service;   /* of a URL of the hosted service; borrowed; NULL: none */
    str organization;          /* whose stacks names without one mean there */
    struct pairs project_tags; /* for stacks that are created there */
    str expected; /* which stack will be wanted first, if it is known by now: as a name */
    str project;  /* that names without one are of; may be empty */
    void (*warn)(void *context, str text); /* of stacks that are loaded, once; may be NULL */
    void *warn_context;
};

/* All calls block. What only reads ends early with ERROR_CANCELED where the kind waits for a
 * network; what writes is never cut short. */
fallible backend_open(const struct backend_options *options, struct backend **out);
void backend_close(struct backend *owned);      /* gives up locks that are still held */
str backend_url(const struct backend *backend); /* as given, but without its password */
/* What may be shown of a URL, and kept in files: everything but a password. */
str backend_url_public(struct arena *arena, str url);

/* A stack of a project. */
struct stack_ref {
    str project;
    str name;
    str organization; /* empty where the backend has none */
};
bool stack_ref_equal(struct stack_ref a, struct stack_ref b);
/* "stack", "organization/stack", "organization/project/stack"; `project` is the current one, may be
 * empty. */
fallible stack_ref_parse(struct arena *arena, str text, str project, struct stack_ref *out);
/* The same where it is known which backend is meant: a store without projects needs none. */
fallible backend_stack_ref(const struct backend *backend, struct arena *arena, str text,
                           str project, struct stack_ref *out);
fallible stack_name_check(str name);
str stack_ref_qualified(struct arena *arena,
                        struct stack_ref stack); /* "organization/project/stack" */
/* The organisation that a name without one means; empty where the backend has none. */
str backend_organization(const struct backend *backend);
/* Short in the current project and organisation, which may be empty; else with what is needed. */
str stack_ref_display(struct arena *arena, struct stack_ref stack, str current_project,
                      str current_organization, bool is_qualified);

/* --- stacks --- */

/* create, remove and rename lock by themselves; locks of one backend nest, so the caller may hold
 * it too. */

/* ERROR_EXISTS if there is one. The snapshot is sealed; it may hold just manifest and secrets
 * provider, or be NULL. */
fallible backend_create_stack(struct backend *backend, struct stack_ref stack,
                              const struct snapshot *initial);
fallible backend_stack_exists(struct backend *backend, struct stack_ref stack, bool *out);

struct stack_summary {
    struct stack_ref stack;
    str last_update; /* manifest time, RFC 3339; empty: never */
    bool has_deployment;
    bool is_in_progress; /* an operation runs, as far as the backend knows */
    size_t resource_count;
};
struct stack_summaries {
    struct stack_summary *items;
    size_t len;
};
/* All projects if `project` is empty. Sorted by project and name. */
fallible backend_list_stacks(struct backend *backend, struct arena *arena, str project,
                             struct stack_summaries *out);

/* Without `force` a stack that has resources (besides its root) is ERROR_INVALID with the
 * reference's text. */
fallible backend_remove_stack(struct backend *backend, struct stack_ref stack, bool force,
                              bool removes_backups);
/* The snapshot is the renamed one, sealed. Tags, history and backups come along. */
fallible backend_rename_stack(struct backend *backend, struct stack_ref stack,
                              struct stack_ref renamed, const struct snapshot *snapshot);

/* Moves the stacks of a store of the old layout, which had no projects, to the present one. The
 * backend was opened in spite of the layout (ignores_legacy_error); afterwards it has the present
 * one. Kinds that never had another layout have nothing to move. */
struct layout_upgrade {
    size_t upgraded;
    struct pair *skipped;               /* stack → reason */
    size_t skipped_count, failed_count; /* who is skipped and has not failed has no project */
};
fallible backend_upgrade(struct backend *backend, struct arena *arena, struct layout_upgrade *out);

/* --- state --- */

/* What is known: the checkpoint and, if an operation was cut off, its journal on top.
 * ERROR_NOT_FOUND: "no stack named 'x' found", exit code 6. Secrets stay sealed. `text` the
 * resources point into lives in the arena. */
fallible backend_load(struct backend *backend, struct stack_ref stack, struct arena *arena,
                      struct snapshot *out, bool *has_deployment);

/* Replaces the checkpoint (the former is kept as .bak), durably. The caller holds the lock. Any
 * journal is obsolete. */
fallible backend_save(struct backend *backend, struct stack_ref stack,
                      const struct snapshot *snapshot);

/* --- locks --- */

struct backend_lock;
/* Refused with the owners' names if another has it. */
fallible backend_lock(struct backend *backend, struct stack_ref stack, struct backend_lock **out);
fallible backend_unlock(struct backend_lock *owned);
/* Who holds a lock of the stack, a line for each: "bob@h1 (pid 12), since 2026-11-16T01:43:49Z,
 * 5 minutes ago". */
fallible backend_describe_locks(struct backend *backend, struct stack_ref stack,
                                struct arena *arena, struct strs *out);
/* Removes every lock of the stack; `count` of them. */
fallible backend_break_locks(struct backend *backend, struct stack_ref stack, size_t *count);

/* --- journal of one operation, over what backend_load gave; the caller holds the lock --- */

struct journal;
fallible journal_open(struct backend *backend, struct stack_ref stack, struct journal **out);
/* Adds one record: the text of a journal entry. Durable on return if `waits`; records of many
 * fibers share one sync. Not cut short by cancellation. After a failure nothing new should be
 * started, but outcomes should still be appended: they and all that failed before are tried again,
 * in order. */
fallible journal_append(struct journal *journal, str record, bool waits);
/* Its readers have the state that it starts from: what is as it was there is named by its place. */
bool journal_knows_base(const struct journal *journal);
bool journal_is_far(const struct journal *journal); /* a record takes a round trip */
/* Saves the checkpoint and removes the journal. If it fails the journal holds all; try it again. */
fallible journal_fold(struct journal *journal, const struct snapshot *snapshot);
/* Without fold the file stays and the next load replays it. */
void journal_close(struct journal *owned);
