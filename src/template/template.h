/* template.h — what a new project, policy pack or package is made from: found, read, filled in,
 * copied. The face of this folder. Reads and writes files: blocks the thread unless said
 * otherwise. */
#pragma once

#include "base/error.h"
#include "base/strs.h"

/* What it makes, by the file that every template of the kind has. */
enum template_kind {
    TEMPLATE_PROJECT, /* Pulumi.yaml */
    TEMPLATE_POLICY,  /* PulumiPolicy.yaml */
    TEMPLATE_PACKAGE, /* PulumiPlugin.yaml */
};
str template_manifest_name(enum template_kind kind);

struct template_file {
    str path; /* below the template */
    unsigned mode;
    str source; /* where it is read when it is needed; empty: here it is: */
    str content;
};
struct template_files {
    struct template_file *items;
    size_t len;
};

struct template
{
    enum template_kind kind;
    str name;
    str manifest; /* the text of its Pulumi.yaml, PulumiPolicy.yaml or PulumiPlugin.yaml */
    str folder;   /* where its files are; empty: */
    struct template_files files;
    str confines; /* links may not lead out of this folder; empty: they may lead anywhere */

    /* what template_inspect finds in the manifest */
    str description;
    str quickstart;
    str problem; /* why it cannot be used; empty: it can */
};
struct templates {
    struct template *items;
    size_t len;
};

/* --- finding --- */

/* Those that are a part of the program, sorted by name; not inspected. Does no I/O. */
void template_built_in(struct arena *arena, enum template_kind kind, struct templates *out);

/* One template, or a collection: the folders in it that are templates. A folder that is neither is
 * an empty collection. Not inspected. */
fallible template_read_folder(struct arena *arena, enum template_kind kind, str folder,
                              struct templates *out, bool *is_collection);

/* The same of the files of an archive; `name` is what a template at its top is called. */
fallible template_read_zip(struct arena *arena, enum template_kind kind, str path, str name,
                           struct templates *out, bool *is_collection);

/* NULL: none of them is called so. */
struct template *template_find(const struct templates *list, str name);

/* Reads the manifest. One that is broken is no failure here: `problem` says why. Texts are made fit
 * for a terminal. */
void template_inspect(struct arena *arena, struct template *template);

/* --- addresses --- */

enum template_place { TEMPLATE_NAME, TEMPLATE_ZIP, TEMPLATE_GIT };

/* An operand that is no path: a name, or an address taken apart. */
struct template_address {
    enum template_place place;
    str url;       /* without user and password; of a repository: to clone it */
    str login;     /* "USER" or "USER:PASSWORD"; empty: none */
    str reference; /* of a repository: branch, and what may be folders, "main/a/b" */
    str folder;    /* in the repository; empty: at its top, or behind the branch */
    str shown;     /* without password and query, to be remembered */
};
fallible template_address_parse(struct arena *arena, str text, struct template_address *out);
/* Which of `names` (branches and tags) is at the start of address->reference; the rest of it is
 * the folder. ERROR_NOT_FOUND if none is. */
fallible template_address_resolve(struct template_address *address, struct strs names);

/* --- filling in --- */

struct template_values {
    str project;
    str description;
};

/* ${PROJECT} and ${DESCRIPTION} replaced in a text; a binary file stays as it is. In a YAML file a
 * value that is a whole scalar is quoted where YAML needs it. */
str template_fill(struct arena *arena, str path, str content, const struct template_values *values);
/* ${PROJECT} in the name of a file. */
str template_fill_path(struct arena *arena, str path, const struct template_values *values);

/* A name that may stand for a project, made from any text: "my app" is "my-app". */
str template_project_name(struct arena *arena, str text);

/* --- copying --- */

/* What is to be written. The zero value is nothing. */
struct template_copy {
    struct arena *arena;
    str target; /* folder */
    struct copied_file *files;
    size_t len;
    size_t begun;        /* how many of them were touched */
    struct strs folders; /* that were made, outermost first */
};

/* Finds the files of the template and the names they get below `target`. Writes nothing. */
fallible template_copy_plan(struct arena *arena, struct template *template, str target,
                            const struct template_values *values, struct template_copy *out);
/* The text of the new manifest, and the one to write instead. */
str template_copy_manifest(const struct template_copy *copy);
void template_copy_set_manifest(struct template_copy *copy, str text);
/* Writes, with the same values; on failure everything is as it was. */
fallible template_copy_write(struct template_copy *copy, const struct template_values *values);
/* As it was before: new files are gone, replaced ones are back, and so are folders that were
 * made and are empty. */
void template_copy_undo(struct template_copy *copy);

/* Names in a folder that are in the way of a new project: not those of version control. A folder
 * that is not there has none. */
fallible template_obstacles(struct arena *arena, str folder, struct strs *out);
