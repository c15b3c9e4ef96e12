/* pysdk.h — a Python SDK while it is made: its modules, which shapes of types are used, and the
 * files. Everything is printed from the plan; nothing else decides what exists. */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"
#include "common/names.h"
#include "common/sdk.h"
#include "python/python_names.h"

/* Where a type is used, as bits: each is a class of its own or a part of one. */
enum pysdk_shape {
    SHAPE_ARGUMENT = 1,  /* in _inputs.py: its properties may be promises */
    SHAPE_PLAIN = 2,     /* in _inputs.py: for functions that wait; nothing is a promise */
    SHAPE_RESULT = 4,    /* in outputs.py */
    SHAPE_STATE = 8,     /* in outputs.py, as a property of a resource */
    SHAPE_FUNCTION = 16, /* of a function, whatever else */
};

struct pysdk_members {
    VEC(str); /* tokens */
};

/* A Python package: the folder `path` below that of the SDK. */
struct pysdk_module {
    str path; /* "store/deep"; empty: the root */
    struct pysdk_module *parent;
    struct pysdk_members resources;
    struct pysdk_members functions;
    struct pysdk_members objects; /* types with some shape */
    struct pysdk_members enums;
    bool has_config;
    struct {
        VEC(struct pysdk_module *);
    } children;              /* sorted by path */
    struct map files;        /* names of its files and folders, without ".py" → token or "" */
    struct str_list exports; /* files whose names the module has as its own */
};

struct pysdk {
    struct arena *arena;
    struct schema *schema;
    struct value hints; /* what the schema says to Python */
    str package;        /* pulumi_acme */
    str version;        /* of the package, if the SDK says it itself; else empty */
    bool uses_dicts;    /* a TypedDict stands beside each class of arguments */
    bool lifts;         /* a method with one result gives just that */
    bool is_parameterized;
    bool types_replace; /* a change inside some type replaces the resource that has it */
    bool is_bridged; /* classes have the names of SDKs that were made for Terraform's providers */
    bool is_kubernetes; /* and files those of the SDK of Kubernetes */
    struct map modules; /* path → struct pysdk_module * */
    struct map homes;   /* token → struct pysdk_module * */
    struct map shapes;  /* token → unsigned * of shapes */
    struct map places;  /* token of a resource → str *: the name of its file */
    const struct sdk_request *request;
    struct sdk_files *files;
};

/* --- the plan --- */

void pysdk_plan(struct pysdk *sdk);
void pysdk_release(struct pysdk *sdk);
struct pysdk_module *pysdk_module_of(struct pysdk *sdk, str token);
unsigned pysdk_shapes(const struct pysdk *sdk, str token);
/* What replaces the resource when it changes, as paths. */
struct strs pysdk_replace_paths(struct pysdk *sdk, struct arena *arena,
                                const struct schema_resource *resource);
/* A name for a file that its module has not yet. */
str pysdk_take_file(struct pysdk *sdk, struct pysdk_module *module, str name, str token);

/* --- files --- */

/* One file: what is behind the imports, and the imports that it turned out to need. */
struct pysdk_file {
    struct pysdk *sdk;
    struct pysdk_module *module;
    enum { FILE_MEMBER, FILE_INPUTS, FILE_OUTPUTS } kind;
    str token;            /* of FILE_MEMBER: what is defined here */
    struct arena scratch; /* goes with the file */
    struct strbuf body;
    struct map packages;   /* "import x" */
    struct map neighbours; /* "from . import x" */
};

void pysdk_file_open(struct pysdk_file *file, struct pysdk *sdk, struct pysdk_module *module);
/* Writes it as NAME.py of its module and releases it. */
fallible pysdk_file_close(struct pysdk_file *file, str name);
void pysdk_file_release(struct pysdk_file *file);
void pysdk_put(struct pysdk_file *file, const char *format, ...) PRINTF(2, 3);
/* A path below the folder of the SDK. */
str pysdk_path(struct pysdk *sdk, struct arena *arena, const struct pysdk_module *module, str name);
/* The comment at the top of all files. */
void pysdk_put_notice(const struct pysdk *sdk, struct strbuf *out);
/* From a module to the root of the SDK: "." or ".." and so on. */
str pysdk_dots(struct arena *arena, const struct pysdk_module *module);

/* Text between double quotes. */
str pysdk_quoted(struct arena *arena, str text);
/* True, 1, 1.5, "text"; None for all else. */
str pysdk_literal(struct arena *arena, struct value value);

/* --- types --- */

struct pysdk_place {
    enum pysdk_shape shape; /* SHAPE_ARGUMENT, SHAPE_PLAIN or SHAPE_RESULT */
    bool is_optional;
    bool is_dict;                           /* inside a TypedDict */
    bool takes_dicts;                       /* a dictionary may stand in place of an object */
    bool may_promise;                       /* of SHAPE_PLAIN: the whole may be a promise */
    const struct schema_property *property; /* for a constant; may be NULL */
};

/* The annotation; what it names is imported. */
str pysdk_annotation(struct pysdk_file *file, const struct schema_type *type,
                     struct pysdk_place place);
/* int, str and so on; NULL of what Python has no simple type for. */
const char *pysdk_simple_type(enum type_kind kind);
/* What isinstance can tell about results: str, list, a class; empty if nothing. */
str pysdk_runtime_type(struct pysdk_file *file, const struct schema_type *type);
/* The expression of a property's default; empty if it has none. */
str pysdk_default(struct arena *arena, const struct schema_property *property);
bool pysdk_is_text(const struct schema_type *type);
/* The class of an object type in a shape. */
str pysdk_object_name(const struct pysdk *sdk, struct arena *arena, str token,
                      enum pysdk_shape shape);
/* A resource's class. */
str pysdk_resource_name(struct arena *arena, const struct schema_resource *resource);
/* Its file, without ".py". */
str pysdk_resource_file(const struct pysdk *sdk, str token);

/* --- documentation --- */

/* The text for Python: examples of other languages are gone, references are names. */
str pysdk_doc(struct pysdk *sdk, struct arena *arena, str text);
/* A docstring; nothing if the text is empty. */
void pysdk_put_doc(struct pysdk_file *file, unsigned indent, str text);
/* ":param name: text" for a docstring; nothing if the text is empty. */
void pysdk_add_param(struct pysdk *sdk, struct strbuf *doc, str name, str text);
