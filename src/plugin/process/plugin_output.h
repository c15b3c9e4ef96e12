/* plugin_output.h — what a plugin prints: its port line first, then diagnostics line by line. */
#pragma once

#include "base/strbuf.h"
#include "fiber/sync.h"
#include "plugin/plugin.h"

enum { PORT_LINE_MAX = 4096, OUTPUT_LINE_MAX = 64 * 1024, OUTPUT_KEPT_MAX = 64 * 1024 };

enum output_stream { OUTPUT_STDOUT, OUTPUT_STDERR, OUTPUT_STREAMS };

struct plugin_output {
    struct plugin_host *host;
    bool is_hidden; /* debug diagnostics only; the end is kept for when it dies */
    bool is_silent; /* nothing is reported any more */
    struct strbuf lines[OUTPUT_STREAMS]; /* begun, not ended yet */
    int32_t stream_ids[OUTPUT_STREAMS];
    bool has_ended[OUTPUT_STREAMS];
    struct strbuf kept;
    struct strbuf port_line;
    bool has_port_line;          /* the line is whole */
    bool has_long_port_line;     /* it never will be */
    struct latch port_line_done; /* open too when the line grew too long or standard output ended */
    struct latch done;           /* both streams have ended */
};

void plugin_output_init(struct plugin_output *output, struct plugin_host *host, bool is_hidden);
void plugin_output_release(struct plugin_output *output);

/* Bytes as they come in; any split is fine. */
void plugin_output_add(struct plugin_output *output, enum output_stream stream, str bytes);
/* What was printed since the last newline will not be continued: it is a line. */
void plugin_output_break(struct plugin_output *output);
/* A last line without its newline is still delivered. */
void plugin_output_end(struct plugin_output *output, enum output_stream stream);

/* Shows what was hidden, as the output of a plugin at `path` that ended too early. */
void plugin_output_dump(struct plugin_output *output, str path);

/* The port in a first line; the message says what is wrong with it. */
fallible plugin_parse_port(str line, uint16_t *port);
