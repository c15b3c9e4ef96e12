/* ts_function.h — the names that the file of a function has. */
#pragma once

#include "nodejs/sdk/ts_types.h"

/* The form that waits, and the one that takes and gives promises. */
bool ts_has_plain_form(const struct schema_function *function);
bool ts_has_output_form(const struct schema_function *function);
/* Its result is an object that it defines itself. */
bool ts_has_result_interface(const struct schema_function *function);

struct strs ts_function_interfaces(struct arena *arena, const struct schema_function *function);
struct strs ts_function_forms(struct arena *arena, const struct schema_function *function);
