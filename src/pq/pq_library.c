/* pq_library.c — loads libpq when the first connection is made: a program that does not use a
 * database starts without it. */
#include "pq/pq_library.h"

#include <dlfcn.h>

fallible pq_library_load(struct pq_library *library)
{
#define SYMBOL(member)                                    \
    {                                                     \
        "PQ" #member, offsetof(struct pq_library, member) \
    }
    static const struct {
        const char *name;
        size_t offset;
    } symbols[] = {
        SYMBOL(conndefaults),
        SYMBOL(conninfoFree),
        SYMBOL(connectdbParams),
        SYMBOL(status),
        SYMBOL(errorMessage),
        SYMBOL(connectionNeedsPassword),
        SYMBOL(socket),
        SYMBOL(finish),
        SYMBOL(setnonblocking),
        SYMBOL(setNoticeProcessor),
        SYMBOL(enterPipelineMode),
        SYMBOL(pipelineSync),
        SYMBOL(sendQueryParams),
        SYMBOL(flush),
        SYMBOL(consumeInput),
        SYMBOL(isBusy),
        SYMBOL(getResult),
        SYMBOL(resultStatus),
        SYMBOL(resultErrorField),
        SYMBOL(resultErrorMessage),
        SYMBOL(ntuples),
        SYMBOL(nfields),
        SYMBOL(getvalue),
        SYMBOL(getlength),
        SYMBOL(cmdTuples),
        SYMBOL(clear),
    };
#undef SYMBOL
    void *handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);

    if (!handle)
        return error_new(ERROR_INVALID, "state in PostgreSQL needs libpq, which is not installed: "
                                        "install the package libpq5");
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *symbol = dlsym(handle, symbols[i].name);
        if (!symbol)
            return error_new(ERROR_INVALID,
                             "libpq.so.5 has no function %s: version 14 or later is needed",
                             symbols[i].name);
        memcpy((char *)library + symbols[i].offset, &symbol, sizeof(symbol));
    }
    return NULL;
}
