/* engine.h — one operation on one stack: update, preview, refresh, destroy, import. */
#pragma once

#include "backend/backend.h"
#include "engine/event.h"
#include "model/crypter.h"

enum operation_kind { OPERATION_UPDATE, OPERATION_REFRESH, OPERATION_DESTROY, OPERATION_IMPORT };

/* One resource of `import`. */
struct import_spec {
    str type;
    str name;
    str id;
    str parent;   /* URN */
    str provider; /* URN; empty: the default one */
    str version;
    str download_url;
    bool is_parameterized; /* the package of `type` is made of `plugin` by `parameter` */
    str plugin;
    str plugin_version;
    str parameter;
    struct strs properties;
    struct value inputs;          /* of a provider: its configuration; else what cannot be read */
    struct value outputs;         /* all there is to know: nothing is read */
    struct value provider_inputs; /* of `provider`, should it not be there yet */
    bool is_component;
    bool is_remote;
    bool protect;
};

struct engine_options {
    enum operation_kind kind;
    bool preview;

    /* the project and its stack */
    str project;
    struct stack_ref stack;
    str organization;
    str root_directory;    /* of the project file */
    str program_directory; /* of `main` */
    str entry_point;
    str runtime;
    struct value runtime_options;
    const str *config; /* key, value … decrypted */
    size_t config_len;
    struct pairs config_shown; /* the same for users: [secret] for whatever is secret */
    struct strs config_secret_keys;
    str config_json; /* as it is stored, secrets sealed; empty: none */
    const struct plugin_folder *project_plugins;
    size_t project_plugin_count;

    /* how */
    int32_t parallel;
    bool refresh;     /* read everything first */
    bool run_program; /* with refresh and destroy */
    bool continue_on_error;
    bool ignore_protect;
    bool exclude_protected;
    bool target_dependents;
    bool exclude_dependents;
    bool expect_no_changes;
    bool clear_pending_creates;
    bool legacy_diff;
    bool legacy_refresh_diff;
    bool parallel_diff;
    bool skips_preinstall; /* missing plugins are installed when they are loaded, not before */
    bool debug;
    bool is_inline;           /* the program is part of the process that started us */
    struct strs debugged;     /* program, plugins, plugin:NAME, all: what waits for a debugger */
    struct strs plugin_flags; /* every plugin is started with these */
    struct strs targets;      /* URNs and globs */
    struct strs excludes;
    struct strs replaces;
    struct strs policy_packs;        /* paths */
    struct strs policy_pack_configs; /* the JSON for each; may be fewer */
    struct pairs import_pending;     /* URN → ID */
    const struct import_spec *imports;
    size_t import_count;
    str plan_text;   /* --plan: the file's content; empty: none */
    str plan_name;   /* of the file, for errors */
    bool wants_plan; /* --save-plan */

    /* the world */
    str home;
    str search_path;
    str executable_directory;
    str client_address;
    str debug_providers;
    str debug_languages;
    bool ignores_ambient_plugins;
    bool disables_refresh_before_update;
    bool disables_resource_references;
    bool disables_output_values;
    bool disables_provider_preview;
    const char *const *environment;

    /* the state; `snapshot` is unsealed by the engine with `state_crypter` where needed */
    struct snapshot *snapshot;
    struct crypter *state_crypter; /* reads what is there */
    struct crypter *crypter;       /* writes; may be the same */
    str secrets_type;              /* of the manager that writes */
    str secrets_state;
    /* The key that seals secrets: the first begins to derive it and returns at once; the second
     * waits for it and says whether it is the right one. NULL: nobody needs to know. */
    void (*prepare_key)(void *context);
    struct error *(*verify_key)(void *context);
    void *key_context;
    struct journal *journal; /* NULL: preview */
    struct backend *backend; /* for stack references */
    /* Opens the secrets of another stack's state; what it gives lives as long as the operation. */
    struct error *(*open_crypter)(void *context, str secrets_type, str secrets_state,
                                  struct crypter **out);
    void *crypter_context;

    struct engine_shared *shared; /* what operations of one command share; NULL: nothing */
    event_sink *sink;
    void *sink_context;
};

struct engine_result {
    int64_t changes[STEP_OP_COUNT];
    bool has_changes;         /* for --expect-no-changes */
    bool is_canceled;         /* by the first interrupt */
    bool is_terminated;       /* by the second: exit code 8 */
    struct snapshot snapshot; /* what is known now; sealed; in the arena given */
    str plan;                 /* wants_plan: the file's content */
};

/* Runs it. Failures are reported as events; what is returned then is reported. The result is
 * written in every case. Blocks. */
fallible engine_run(const struct engine_options *options, struct arena *arena,
                    struct engine_result *out);

/* What a preview leaves for the update after it: the server of the Engine service, language hosts,
 * and providers that can serve again. An operation that fails leaves nothing. Closing blocks. */
struct engine_shared *engine_shared_new(void);
void engine_shared_close(struct engine_shared *owned);

/* From a signal: the first stops starting new work and tells plugins, the second abandons calls
 * under way. May be called on the loop. */
void engine_interrupt(void);

/* Needs no plugin: it is built in. */
bool engine_has_package(str name);
