/* backend_kinds.c — the table of backends.def. */
#include "backend/backend_ops.h"

#define BACKEND(id) extern const struct backend_ops backend_##id;
#include "backend/backends.def"
#undef BACKEND

const struct backend_ops *const backend_kinds[] = {
#define BACKEND(id) &backend_##id,
#include "backend/backends.def"
#undef BACKEND
    NULL,
};
