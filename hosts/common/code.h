/* code.h — programs that hosts print for those who ask, from PCL. */
#pragma once

#include "pcl/pcl_print.h"

#include "pb/codegen.pb-c.h"

/* GenerateProgram: reads the program, asks the loader for the schemas of its packages, prints it as
 * `file`. What cannot be read or printed is a diagnostic of the answer. Blocks. */
fallible code_generate_program(struct arena *arena, const char *file, pcl_print *print, str request,
                               str *response);

/* What went wrong as the only diagnostic of an answer; takes the error. */
Pb__Diagnostic **code_complaint(struct arena *arena, struct error *failure);
