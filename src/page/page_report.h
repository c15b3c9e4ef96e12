/* page_report.h — what happened in an operation, gathered for its page: events as an event log has
 * them, and how long things took. */
#pragma once

#include "base/json.h"
#include "base/strs.h"

struct page_report_facts {
    str stack;     /* may be empty: an event log does not say */
    str project;   /* the same */
    str operation; /* "up"; empty: not known */
    str source;    /* the event log it was made of; empty: recorded while it ran */
};

/* One after the other: begin, events and spans, end. The zero value has no phases. */
struct page_report {
    struct strbuf phases, events, spans;
    struct json_writer phase_writer, event_writer, span_writer;
    int64_t start; /* of the phase, in nanoseconds since 1970 */
    size_t phase_count;
    size_t event_count; /* of the phase */
    bool is_open;
};

void page_report_release(struct page_report *report);

/* A preview or the operation itself. */
void page_report_begin(struct page_report *report, int64_t start);
/* One line of an event log. `depends_on`: what the log does not tell. ERROR_INVALID if it is no
 * event; events of unknown kinds are left out. */
fallible page_report_add(struct page_report *report, str line, int64_t time,
                         struct strs depends_on);
struct page_span {
    str name;   /* of a call: its method */
    str plugin; /* of a call; else empty */
    str urn;    /* may be empty */
    int64_t start, end;
    bool has_failed;
};
void page_report_add_span(struct page_report *report, const struct page_span *span);
void page_report_end(struct page_report *report);

/* A whole event log: times are those in it, whole seconds, and a sequence that begins again is a
 * new phase. A last line that was not written to its end is left out, and said by `is_cut`. Other
 * failures name the line. */
fallible page_report_read(struct page_report *report, str log, bool *is_cut);

void page_report_write_json(struct json_writer *writer, const struct page_report_facts *facts,
                            const struct page_report *report);
