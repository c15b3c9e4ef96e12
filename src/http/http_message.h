/* http_message.h — the head of an HTTP/1.1 answer, and its body in chunks. No I/O. */
#pragma once

#include "base/error.h"

enum { HTTP_HEAD_MAX = 64 * 1024 };

struct http_head {
    int status;
    bool has_length;
    uint64_t length;
    bool is_chunked;
    str location; /* empty: none */
};

/* How many bytes the head takes, its empty line included; 0 if it is not complete yet. */
size_t http_head_len(str bytes);
/* `text` is a complete head. Slices of it. */
fallible http_head_parse(str text, struct http_head *out);
/* Whether a body follows at all. */
bool http_head_has_body(const struct http_head *head);

/* The zero value is the beginning of a chunked body. */
struct http_chunks {
    int state; /* private */
    uint64_t left;
    size_t line_len; /* of a line that nobody keeps */
    bool is_done;
};
/* Takes bytes off the front of *input and gives the piece of the body among them; an empty piece
 * and an empty input mean: more is needed. */
fallible http_chunks_next(struct http_chunks *chunks, str *input, str *piece);
