/* pq_library.h — libpq, loaded at run time; private to this directory. */
#pragma once

#include "base/error.h"

/* From libpq's stable interface; its headers are not needed to build. */
enum {
    CONNECTION_GOOD = 0,

    RESULT_COMMAND_OK = 1,
    RESULT_TUPLES_OK = 2,
    RESULT_FATAL_ERROR = 7,
    RESULT_PIPELINE_SYNC = 10,
    RESULT_PIPELINE_ABORTED = 11,

    FIELD_STATE = 'C',
    FIELD_MESSAGE = 'M',
    FIELD_HINT = 'H',
};

/* A parameter that the library knows. */
struct pq_conninfo {
    char *keyword;
    char *variable;
    char *compiled;
    char *value;
    char *label;
    char *shown;
    int size;
};

struct pq_library {
    struct pq_conninfo *(*conndefaults)(void);
    void (*conninfoFree)(struct pq_conninfo *options);
    void *(*connectdbParams)(const char *const *keywords, const char *const *values, int expands);
    int (*status)(const void *connection);
    char *(*errorMessage)(const void *connection);
    int (*connectionNeedsPassword)(const void *connection);
    int (*socket)(const void *connection);
    void (*finish)(void *connection);
    int (*setnonblocking)(void *connection, int is_on);
    void *(*setNoticeProcessor)(void *connection, void (*process)(void *context, const char *text),
                                void *context);
    int (*enterPipelineMode)(void *connection);
    int (*pipelineSync)(void *connection);
    int (*sendQueryParams)(void *connection, const char *command, int count, const unsigned *types,
                           const char *const *values, const int *lengths, const int *formats,
                           int result_format);
    int (*flush)(void *connection);
    int (*consumeInput)(void *connection);
    int (*isBusy)(void *connection);
    void *(*getResult)(void *connection);
    int (*resultStatus)(const void *result);
    char *(*resultErrorField)(const void *result, int field);
    char *(*resultErrorMessage)(const void *result);
    int (*ntuples)(const void *result);
    int (*nfields)(const void *result);
    char *(*getvalue)(const void *result, int row, int column);
    int (*getlength)(const void *result, int row, int column);
    char *(*cmdTuples)(void *result);
    void (*clear)(void *result);
};

/* May be called by any thread. Never unloaded: the system counts references, and the library stays
 * for the next connection. */
fallible pq_library_load(struct pq_library *library);
