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
};

struct packages {
    struct arena *arena;
    VEC(struct package_decl); /* as declared beside the program */
    struct map refs;          /* name of the package → str *: the engine's reference to it */
};

void packages_release(struct packages *packages);

/* Looks for package declarations in the folder and below it. Blocks the thread. */
fallible packages_search(struct packages *packages, str directory);

/* What tokens call the package: the name of its parameterization, or of the plugin. */
str package_key(const struct package_decl *package);
/* NULL if nothing is declared. */
const struct package_decl *packages_find(const struct packages *packages, str key);
/* Empty if it was not registered with the engine. */
str packages_ref(const struct packages *packages, str key);

struct package_list {
    VEC(struct package_decl);
};

/* What the resources and functions of a program and its components need, sorted, without the
 * engine's own package. */
void packages_required(const struct program *program, const struct packages *declared,
                       struct package_list *out);
