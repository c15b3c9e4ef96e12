/* property_text.h — property values and their changes as indented text. */
#pragma once

#include "base/strbuf.h"
#include "engine/event.h"

struct property_printer {
    struct strbuf *out;
    enum step_op op; /* gives mark and colour */
    bool has_mark;   /* the mark takes the last two columns of the indent */
    unsigned indent; /* levels of four columns */
    bool shows_secrets;
    bool truncates;     /* long texts are cut */
    bool matches_lists; /* elements of lists are compared with those they were, not with those that
                           stood in their place */
    bool hides_sames;   /* inside changes, what is equal is left out */
};

/* All members, one a line, keys aligned; nothing for internal keys ("__…"). */
void property_print_object(const struct property_printer *printer, struct value object);

/* Members of both, those that differ marked. With `only`, other keys are left out. */
void property_print_change(const struct property_printer *printer, struct value old,
                           struct value new, const struct strs *only);

/* One member of the change. */
void property_print_member_change(const struct property_printer *printer, str key, size_t width,
                                  const struct value *old, const struct value *new);
void property_print_member(const struct property_printer *printer, str key, size_t width,
                           struct value value);

/* --- pieces of a change that is printed path by path --- */

/* What is printed before a value. */
struct property_title {
    str text;      /* a key, or "[3]" */
    size_t width;  /* of the longest sibling */
    bool is_index; /* an array's: it is printed one level left of its value */
    str note;      /* before the value; may be empty */
};
/* Added or deleted as a whole. */
void property_print_whole(const struct property_printer *printer, struct property_title title,
                          enum step_op op, struct value value);
/* Two values that differ. */
void property_print_update(const struct property_printer *printer, struct property_title title,
                           struct value old, struct value new);
void property_print_title(const struct property_printer *printer, struct property_title title);
/* An array or object of which only some parts are printed, by `inside`. */
void property_print_brackets(const struct property_printer *printer, struct property_title title,
                             bool is_array,
                             void (*inside)(const struct property_printer *printer,
                                            const void *context),
                             const void *context);
/* A line of text with mark and indent. */
void property_print_line(const struct property_printer *printer, str text);

/* Not worth a line: null, "", [] or {}. */
bool property_is_empty(struct value value);
bool property_key_is_internal(str key);
/* A member that is there and not null; NULL otherwise. In changes null is the same as nothing. */
const struct value *property_find(struct value object, str key);
