/* go_program.h — what the two files share that print programs as Go. */
#pragma once

#include "go/golang.h"
#include "pcl/pcl_print.h"

struct go_printer {
    struct pcl_printer base; /* first: values are printed through it */
    struct map imports;      /* path → str *: the name it is imported by */
};

/* "store." or whatever the package of a module is called; it is imported. */
str go_package_name(struct go_printer *printer, const struct schema *schema, str package,
                    str module);
void go_put_string(struct strbuf *out, str text);
/* A value for the field of a struct of inputs. */
void go_put_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                  const struct schema_type *type);

/* Keys and values in lines of their own, the values in one column as gofmt has it. */
struct go_field {
    str key;   /* with its colon */
    str value; /* printed */
};
void go_put_fields(struct pcl_printer *printer, const struct go_field *fields, size_t len);
/* What `put` prints, as text. */
str go_print_value(struct pcl_printer *printer, const struct pcl_expr *expr,
                   const struct schema_type *type,
                   void (*put)(struct pcl_printer *printer, const struct pcl_expr *expr,
                               const struct schema_type *type));
