/* store_azblob.h — objects in a container of Azure's blob storage: what its parts share. */
#pragma once

#include "backend/store_web.h"
#include "base/pairs.h"
#include "base/secret.h"

/* What the URL and the environment say (store_azblob_url.c). Texts are in the arena. */
struct azblob_options {
    str container; /* escaped */
    str prefix;    /* "" or "a/b/" */
    str account;
    str service;        /* SCHEME://HOST[/ACCOUNT], without a slash at its end */
    struct secret key;  /* of the account; empty: there is none */
    struct pairs token; /* a shared access signature, decoded; empty: there is none */
    str resource;       /* whom tokens are for, where there is neither */
};
fallible azblob_url_parse(struct arena *arena, const struct object_store_options *options,
                          struct azblob_options *out);

/* The answer to a listing; keys as the server has them. Pure, fuzzed. */
fallible azblob_page_parse(struct arena *arena, str text, struct store_page *out);

/* NAME=VALUE;… as the portal writes it. Pure, fuzzed. */
fallible azblob_connection_parse(struct arena *arena, str text, struct azblob_options *out);
