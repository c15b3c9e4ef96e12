/* pcl.h — programs as the command line and converters write them: blocks with attributes, whose
 * values are literals, lists, objects, calls and references. That part of PCL is read here; the
 * rest (templates, operators, loops) is refused with its place. */
#pragma once

#include "base/error.h"

enum pcl_kind {
    PCL_NULL,
    PCL_BOOL,
    PCL_NUMBER,
    PCL_STRING,
    PCL_LIST,
    PCL_OBJECT,
    PCL_CALL,     /* text is the function, items are the arguments */
    PCL_REFERENCE /* text is the name, items are strings (properties) and numbers (indices) */
};

struct pcl_member;

struct pcl_expr {
    enum pcl_kind kind;
    bool boolean;
    double number;
    str text;
    struct pcl_expr **items;
    const struct pcl_member *members; /* of an object, in their order */
    size_t len;
    size_t line; /* from 1 */
};

struct pcl_member {
    str key;
    struct pcl_expr *value;
};

struct pcl_block;

/* Attributes and blocks in the order in which they stand. */
struct pcl_body {
    const struct pcl_member *attributes;
    size_t attribute_count;
    const struct pcl_block *blocks;
    size_t block_count;
};

struct pcl_block {
    str kind; /* "resource" */
    const str *labels;
    size_t label_count;
    struct pcl_body body;
    size_t line;
};

/* Errors are ERROR_INVALID and name the line. The text must live as long as the tree. */
fallible pcl_read(struct arena *arena, str text, struct pcl_body *out);

/* NULL if there is none. */
const struct pcl_expr *pcl_attribute(const struct pcl_body *body, str name);
const struct pcl_block *pcl_block(const struct pcl_body *body, str kind);
const struct pcl_expr *pcl_find(const struct pcl_expr *object, str key);
