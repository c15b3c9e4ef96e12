/* backend_kinds.c — the tables of backends.def and object_stores.def. */
#include "backend/backend_object_ops.h"
#include "backend/backend_ops.h"

#define BACKEND(id) extern const struct backend_ops backend_##id;
#include "backend/backends.def"
#undef BACKEND

#define OBJECT_STORE(id, url_scheme, url_form)              \
    extern const struct object_store_ops object_store_##id; \
    static const struct backend_ops backend_##id = OBJECT_BACKEND(url_scheme, url_form);
#include "backend/object_stores.def"
#undef OBJECT_STORE

const struct backend_ops *const backend_kinds[] = {
#define BACKEND(id) &backend_##id,
#include "backend/backends.def"
#undef BACKEND
#define OBJECT_STORE(id, url_scheme, url_form) &backend_##id,
#include "backend/object_stores.def"
#undef OBJECT_STORE
    NULL,
};

const struct object_store_ops *const object_store_kinds[] = {
#define OBJECT_STORE(id, url_scheme, url_form) &object_store_##id,
#include "backend/object_stores.def"
#undef OBJECT_STORE
    NULL,
};
