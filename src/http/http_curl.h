/* http_curl.h — libcurl, loaded at run time; private to this directory. */
#pragma once

#include "base/error.h"

/* From libcurl's stable interface; its headers are not needed to build. */
enum {
    OPT_VERBOSE = 41,
    OPT_NOPROGRESS = 43,
    OPT_NOBODY = 44,
    OPT_UPLOAD = 46,
    OPT_SSL_VERIFYPEER = 64,
    OPT_FRESH_CONNECT = 74,
    OPT_SSL_VERIFYHOST = 81,
    OPT_HTTP_VERSION = 84,
    OPT_NOSIGNAL = 99,
    OPT_CONNECTTIMEOUT_MS = 156,
    OPT_PROTOCOLS = 181,
    OPT_SUPPRESS_CONNECT_HEADERS = 265,
    OPT_QUICK_EXIT = 322,
    OPT_WRITEDATA = 10001,
    OPT_URL = 10002,
    OPT_PROXY = 10004,
    OPT_READDATA = 10009,
    OPT_ERRORBUFFER = 10010,
    OPT_USERAGENT = 10018,
    OPT_HTTPHEADER = 10023,
    OPT_SSLCERT = 10025,
    OPT_HEADERDATA = 10029,
    OPT_CUSTOMREQUEST = 10036,
    OPT_XFERINFODATA = 10057,
    OPT_CAINFO = 10065,
    OPT_SSLKEY = 10087,
    OPT_DEBUGDATA = 10095,
    OPT_CAPATH = 10097,
    OPT_ACCEPT_ENCODING = 10102,
    OPT_PRIVATE = 10103,
    OPT_SEEKDATA = 10168,
    OPT_WRITEFUNCTION = 20011,
    OPT_READFUNCTION = 20012,
    OPT_HEADERFUNCTION = 20079,
    OPT_DEBUGFUNCTION = 20094,
    OPT_SEEKFUNCTION = 20167,
    OPT_XFERINFOFUNCTION = 20219,
    OPT_INFILESIZE_LARGE = 30115,

    MULTI_MAX_HOST_CONNECTIONS = 7,
    MULTI_MAX_TOTAL_CONNECTIONS = 13,

    INFO_PRIVATE = 0x100015,
    INFO_RESPONSE_CODE = 0x200002,
    INFO_OS_ERRNO = 0x200019,

    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    HTTP_VERSION_1_1 = 2,
    READ_ABORT = 0x10000000,
    SEEK_OK = 0,
    SEEK_FAIL = 1,
    MESSAGE_DONE = 1,
    DEBUG_HEADER_OUT = 2,

    CODE_NO_PROXY_HOST = 5,
    CODE_NO_HOST = 6,
    CODE_PARTIAL = 18,
    CODE_NOT_TAKEN = 23, /* by who writes what came */
    CODE_TIMEOUT = 28,
    CODE_BAD_CERTIFICATE = 58,
    CODE_UNTRUSTED = 60,
    CODE_BAD_AUTHORITIES = 77,
    GLOBAL_DEFAULT = 3,
    ERROR_TEXT_MAX = 256,
};

struct curl_message {
    int message;
    void *easy;
    union {
        void *whatever;
        int code;
    } data;
};

struct curl {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *easy, int option, ...);
    int (*easy_getinfo)(void *easy, int info, ...);
    const char *(*easy_strerror)(int code);
    void (*easy_cleanup)(void *easy);
    void *(*slist_append)(void *list, const char *text);
    void (*slist_free_all)(void *list);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *multi, int option, ...);
    int (*multi_add_handle)(void *multi, void *easy);
    int (*multi_remove_handle)(void *multi, void *easy);
    int (*multi_perform)(void *multi, int *running);
    int (*multi_poll)(void *multi, void *extra, unsigned extras, int timeout_ms, int *ready);
    int (*multi_wakeup)(void *multi);
    struct curl_message *(*multi_info_read)(void *multi, int *left);
    int (*multi_cleanup)(void *multi);
    int (*global_init)(long flags);
};

/* May be called by any thread, but not by two at once. Never unloaded: the system counts
 * references, and the library stays for the next client. */
fallible curl_load(struct curl *curl);
