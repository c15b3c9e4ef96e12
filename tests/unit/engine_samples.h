/* engine_samples.h — how tests of the engine write down resources and the answers of a provider.
 *
 * Names stand for URNs. Lists are separated by blanks. Values are pairs: "x=1 y=text z=? s=!text
 * o.a=1" has a number, a text, an unknown, a secret and an object. */
#pragma once

#include "model/goal.h"

/* A resource as the state has it, or as the program asks for it. */
struct sample {
    const char *name;
    const char *type; /* NULL: pulumi:t:R, of a component pulumi:t:C */
    const char *parent;
    bool is_component;
    const char *inputs;
    const char *depends_on;
    const char *uses;     /* "x:a": the input x comes from a, and so it depends on a */
    const char *provider; /* NULL: the default one; of an external package: URN::ID */

    /* options */
    bool protect;
    bool retain_on_delete;
    const char *deleted_with;
    const char *replace_with;
    const char *ignore_changes;
    const char *replace_on_changes;
    const char *secret_outputs;
    const char *trigger; /* replacementTrigger: "v=1" */
    const char *hooks[HOOK_KINDS];
    struct timeouts timeouts;
    const char *import_id;

    /* of a state */
    const char *id;      /* NULL: id-NAME */
    const char *outputs; /* NULL: as the inputs */
    bool is_delete;
    bool is_pending_replacement;
    bool is_external;
    bool is_tainted;
    bool refreshes_before_update;
    const char *init_error;
    const char *view_of;

    /* of a goal */
    const char *aliases;      /* of the state, or whole URNs */
    struct alias alias;       /* one more, by its parts; its parent is given as a name */
    const char *alias_from;   /* name of the parent of `alias` */
    const char *delete_first; /* deleteBeforeReplace: "yes" or "no" */
    const char *read_id;      /* not managed, only read */
    const char *extension;    /* of its provider; the name is the reference, too */
    bool is_parallel;         /* the program goes on without waiting for the answer */
    bool is_hasty;            /* it does not wait either for what this one depends on */
};

/* One thing that the program does: it registers a resource, or the outputs of one. */
struct action {
    struct sample sample;
    bool is_outputs;
};

/* How the provider answers for one name; without a script inputs are accepted, what changed is
 * updated, and outputs are the inputs. */
struct script {
    const char *name;
    const char *replaces; /* inputs whose change forces a replacement */
    bool deletes_first;
    const char *diff;     /* "none", "some", "unknown": whatever the inputs say */
    const char *detailed; /* "x:update o.a:add-replace" */
    const char *defaults; /* what Check adds; values of old inputs are kept */
    const char *refuses;  /* Check does not like this property */
    const char *fails;    /* calls that fail; "check", "diff", "create", … */
    const char *partial;  /* calls that fail when the resource is half made */
    const char *lost;     /* calls that end because the provider does */
    size_t times;         /* so often they fail; 0: always */
    const char *until;    /* calls end only after this one has: "create b" */
    const char *held;     /* which do; NULL: create, update and delete */
    size_t spared;        /* so many calls of a method come before those that are held or fail */
    const char *id;       /* of what is created or found; "-": none */
    const char *inputs;   /* found by Read */
    const char *outputs;
    const char *view;   /* published by create, update, delete */
    bool has_view;      /* one that is named by the provider: made up anew with each owner */
    const char *signal; /* comes during the call: "once", "twice" */
    bool is_gone;
    bool refreshes_before_update;
};
