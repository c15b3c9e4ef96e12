/* http_curl.c — loads libcurl when the first request is sent: a program that only uses what is on
 * the machine starts without it. */
#include "http/http_curl.h"

#include <dlfcn.h>

fallible curl_load(struct curl *curl)
{
#define SYMBOL(member)                                 \
    {                                                  \
        "curl_" #member, offsetof(struct curl, member) \
    }
    static const struct {
        const char *name;
        size_t offset;
    } symbols[] = {
        SYMBOL(easy_init),        SYMBOL(easy_setopt),         SYMBOL(easy_getinfo),
        SYMBOL(easy_strerror),    SYMBOL(easy_cleanup),        SYMBOL(slist_append),
        SYMBOL(slist_free_all),   SYMBOL(multi_init),          SYMBOL(multi_setopt),
        SYMBOL(multi_add_handle), SYMBOL(multi_remove_handle), SYMBOL(multi_perform),
        SYMBOL(multi_poll),       SYMBOL(multi_wakeup),        SYMBOL(multi_info_read),
        SYMBOL(multi_cleanup),    SYMBOL(global_init),
    };
#undef SYMBOL
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

    if (!library)
        return error_new(
            ERROR_INVALID,
            "HTTP needs libcurl, which is not installed: install the package libcurl4");
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return error_new(ERROR_INVALID, "libcurl.so.4 has no function %s", symbols[i].name);
        memcpy((char *)curl + symbols[i].offset, &symbol, sizeof(symbol));
    }
    return curl->global_init(GLOBAL_DEFAULT) == 0
               ? NULL
               : error_new(ERROR_INVALID, "libcurl cannot be initialised");
}
