/* packages.h — the packages a program uses, and the files beside it that say which version of
 * them. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "yaml/syntax/program.h"

struct Pb__Parameterization;

struct parameter {
    bool is_given;
    str name;
    str version;
    str value; /* bytes */
};

/* The same for the wire; NULL if none is given. */
struct Pb__Parameterization *parameter_message(struct arena *arena,
                                               const struct parameter *parameter);

/* A plugin, and how it is parameterized to be the package. */
struct package_decl {
    str name;
    str version;
    str download_url;
    struct parameter parameterization;
    struct parameter extension;
    str ref; /* the engine's reference to it; empty: it was not registered there */
};

struct packages {
    struct arena *arena;
    VEC(struct package_decl); /* as declared beside the program */
};

void packages_release(struct packages *packages);

/* Looks for package declarations in the folder and below it. Blocks the thread. */
fallible packages_search(struct packages *packages, str directory);

struct package_list {
    VEC(struct package_decl);
};

/* All packages in which something may be whose token begins with the name: never none, the plugin
 * itself before its extensions. An extension has things under its own name and under that of its
 * plugin. */
void packages_serving(const struct packages *packages, str name, struct package_list *out);

/* What the resources and functions of a program and its components need, sorted, without the
 * engine's own package. */
void packages_required(const struct program *program, const struct packages *declared,
                       struct package_list *out);
