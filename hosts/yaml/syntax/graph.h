/* graph.h — what a program declares, by name, in the order in which it can be evaluated. */
#pragma once

#include "base/map.h"
#include "fiber/sync.h"
#include "yaml/syntax/program.h"

enum node_kind { NODE_CONFIG, NODE_PULUMI, NODE_RESOURCE, NODE_VARIABLE };

struct registered;

/* One declaration. The second half belongs to the evaluation. */
struct node {
    enum node_kind kind;
    str name;
    struct range range;
    const struct config_decl *config; /* of the program; NULL: only given from outside */
    struct resource_decl *resource;
    const struct property *variable;
    bool is_external; /* a config value that was given for this run */
    struct value external;
    enum { UNSEEN, ENTERED, SORTED } mark;

    size_t position; /* in the order of evaluation */
    struct latch done;
    bool is_poisoned; /* it failed, or something that it needs did */
    bool is_broken;   /* … because a call to the engine failed */
    struct value value;
    struct registered *registered; /* of a resource */
};

struct graph {
    struct arena *arena;
    struct program *program;
    str project;
    struct map resources; /* struct node * */
    struct map config;
    struct map variables;
    struct node *pulumi; /* settings; NULL: none */
    VEC(struct node *);  /* in order; config first */
};

/* What was given for the run: keys as "project:name". */
struct config_value {
    str key;
    struct value value;
};

void graph_init(struct graph *graph, struct arena *arena, struct program *program, str project);
void graph_release(struct graph *graph);

/* Gives resources, and variables that call a function, the default providers of their packages. */
void graph_set_default_providers(struct graph *graph, struct diags *diags);

/* Collects the declarations and puts them in order: duplicates, reserved names and cycles are
 * errors. Names that mean nothing are collected apart, since they are reported in another way. */
void graph_build(struct graph *graph, const struct config_value *config, size_t config_len,
                 struct diags *diags, struct diags *missing);

/* Resources, then config, then variables, then config with its project; NULL: none. `pulumi` itself
 * is not found. */
struct node *graph_find(const struct graph *graph, str name);

/* Calls `visit` for an expression and every one in it, outermost first. */
typedef void expr_visit(void *context, struct expr *expr);
void expr_walk(struct expr *expr, expr_visit *visit, void *context);
/* All expressions of a resource. */
void resource_walk(const struct resource_decl *decl, expr_visit *visit, void *context);
/* All of a program, without those of components. */
void program_walk(const struct program *program, expr_visit *visit, void *context);

#define PULUMI_NAME STR("pulumi")
