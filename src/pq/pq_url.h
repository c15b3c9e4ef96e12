/* pq_url.h — postgres://USER:PASSWORD@HOST:PORT/DATABASE?NAME=VALUE&…: its parts, and how it may be
 * shown and kept. No I/O. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"

struct pq_url {
    /* What the URL says about the connection, by the names of libpq: user, password, host, port,
     * dbname, then the parameters as they come, decoded. Names that libpq does not know are
     * settings of the session. */
    struct pairs parameters;
    str path;  /* the name of the database as the URL has it, decoded; may be empty */
    str table; /* of ?table=; empty if there is none. Not for libpq. */
};

/* ERROR_INVALID does not repeat the URL. */
fallible pq_url_parse(struct arena *arena, str url, struct pq_url *out);

/* The URL without what is secret: the password behind the user's name, and the parameters password
 * and sslpassword. Everything else stays as it was given. */
str pq_url_without_password(struct arena *arena, str url);
