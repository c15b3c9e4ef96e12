/* report.h — keeps what happens in an operation, for the page that shows it afterwards. */
#pragma once

#include "base/secret.h"
#include "engine/event.h"
#include "page/page_report.h"

struct report;

struct report *report_open(void);
void report_close(struct report *owned);

/* Around each phase. In between it hears of every span of the process. `secrets`: texts that must
 * not be in it; a phase may know more of them than the one before. Borrowed until it is closed. */
void report_begin(struct report *report, struct secret_list secrets);
void report_end(struct report *report);
/* An event_sink. */
void report_event(void *report, const struct event *event);

/* The whole page. */
void report_write(struct report *report, const struct page_report_facts *facts, struct strbuf *out);
