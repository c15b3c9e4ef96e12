/* pcl_print.h — what all printers of programs share: indentation, numbers, strings, names. */
#pragma once

#include "base/map.h"
#include "base/strbuf.h"
#include "common/names.h"
#include "pcl/pcl_program.h"

/* Prints a whole program; what it cannot express is an error. */
typedef fallible pcl_print(const struct pcl_program *program, str *out);

struct pcl_printer {
    const struct pcl_program *program;
    struct arena *arena;
    struct strbuf out;
    const char *unit; /* of indentation */
    unsigned indent;
    struct map variables; /* of the program → str * in the language */
    struct map taken;     /* names that are in use */
};
void pcl_printer_release(struct pcl_printer *printer);

void pcl_line(struct pcl_printer *printer);
void pcl_put(struct pcl_printer *printer, const char *format, ...) PRINTF(2, 3);
/* Items between brackets: none "[]", one "[x]", several on lines of their own. */
void pcl_put_list(struct pcl_printer *printer, const struct pcl_expr *list,
                  void (*put)(struct pcl_printer *printer, const struct pcl_expr *item,
                              const struct schema_type *type),
                  const struct schema_type *element);

/* The path of a property that a reference names: a.b[0]. */
str pcl_path_text(struct arena *arena, const struct pcl_expr *path);
/* Such paths between brackets, in double quotes. */
void pcl_put_paths(struct pcl_printer *printer, const struct pcl_expr *list);

/* --- names --- */

void pcl_take_name(struct pcl_printer *printer, str name);
/* The name, or with a number behind it that nobody has: `separator` and the first number. */
str pcl_unique_name(struct pcl_printer *printer, str name, const char *separator, unsigned first);
void pcl_set_variable(struct pcl_printer *printer, str variable, str name);
/* What a variable of the program is called; empty: it is not of the program. */
str pcl_variable(const struct pcl_printer *printer, str variable);

/* The name of an enum's value: as the schema has it, or made of the value. */
str pcl_enum_name(struct arena *arena, const struct schema_type *type, size_t index);
/* The module of a resource, by the schema if there is one; empty: the root. */
str pcl_module(const struct pcl_resource *resource);
/* The class of a resource: Provider for a provider. */
str pcl_class(struct arena *arena, const struct pcl_resource *resource);
/* The packages that resources use, by name. */
struct strs pcl_used_packages(struct arena *arena, const struct pcl_program *program);
const struct pcl_package *pcl_package_of(const struct pcl_program *program, str name);

/* --- literals --- */

/* An integer of 32 bits: what languages and YAML write without doubt. */
bool pcl_is_int(double number);
/* Digits where 64 bits hold it, else the shortest form with an exponent where that is shorter. */
void pcl_put_number(struct strbuf *out, double number);
/* The shortest form of a number that is no integer. */
void pcl_put_float(struct strbuf *out, double number);

struct pcl_character {
    uint32_t code;
    str bytes;
    bool is_plain; /* can stand in a program as it is */
};
/* Walks a text: for (size_t at = 0; pcl_next_character(text, &at, &c);) … */
bool pcl_next_character(str text, size_t *at, struct pcl_character *out);
