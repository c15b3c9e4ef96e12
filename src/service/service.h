/* service.h — the HTTP API of the hosted service: one call, what it answers, and how a refusal is
 * told. */
#pragma once

#include "base/secret.h"
#include "base/strs.h"
#include "base/error.h"

/* Who asks, and where. Texts are copied. */
struct service_options {
    str url;             /* as the user gave it; slashes at the end do not count */
    struct secret token; /* empty: none */
    bool is_insecure;    /* the certificate of the server is not checked */
    str command;         /* "stack-new": for the user agent */
    /* What the service wants the user to know; NULL: nobody listens. */
    void (*warn)(void *context, str text);
    /* A new token in place of one that was refused, empty if there is none; NULL: there never is.
     * Asked at most once. Blocks. */
    fallible (*renew)(void *context, struct arena *arena, struct secret *token);
    void *context;
    uint64_t first_wait_ms; /* before a second attempt, doubled for each further; 0: 1 s */
};

/* Connections, and the token that is in use. Fibers may share it. */
struct service;
struct service *service_open(const struct service_options *options);
void service_close(struct service *owned); /* NULL is fine */
str service_url(const struct service *service);
bool service_is_insecure(const struct service *service);

struct service_call {
    const char *method; /* NULL: GET */
    str path;           /* "/api/…"; names in it are escaped */
    str body;           /* JSON unless `content_type` says otherwise */
    const char *content_type;
    bool is_compressed;  /* the body travels as gzip */
    bool may_repeat;     /* twice is the same as once, although it is no GET */
    bool is_anonymous;   /* no token is sent */
    struct secret lease; /* of a running update, in place of the token */
    uint64_t limit;      /* of the answer; 0: 1 MB */
    int api_version;     /* 0: the one of stacks */
};

/* The answer, whatever its status; texts are in the arena of the call. */
struct service_answer {
    int code;         /* 2xx: good; else the code that the service gave, or the status */
    str body;         /* of a good answer */
    str message;      /* of a refusal; may be put before users */
    str organization; /* 401: this organisation wants its single sign-on; else empty */
    str shown_url;
};

/* Fails only if there was no answer. Blocks. */
fallible service_send(struct service *service, const struct service_call *call, struct arena *arena,
                      struct service_answer *out);
bool service_answer_is_good(const struct service_answer *answer);
/* The failure that a refusal is: "[409] text"; 404 is ERROR_NOT_FOUND; exit code 3 where somebody
 * has to log in or lacks a permission. */
fallible service_refusal(const struct service_answer *answer) __attribute__((returns_nonnull));
/* Both: what is not good is a failure. Blocks. */
fallible service_ask(struct service *service, const struct service_call *call, struct arena *arena,
                     str *body);

/* A refusal out of the body of an answer. Pure. */
void service_refusal_read(struct arena *arena, int status, str body, struct service_answer *out);

/* A name as a part of a path or of a query. */
str service_escape(struct arena *arena, str name);

/* The site for people that belongs to an API: api.X is app.X; `domain` (PULUMI_CONSOLE_DOMAIN)
 * overrides it. Empty if none can be known. */
str service_console_url(struct arena *arena, str url, str domain);

/* Bytes as gzip. */
str service_gzip(struct arena *arena, str text);
