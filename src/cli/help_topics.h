/* help_topics.h — explanations that belong to no single command. */
#pragma once

#include <stddef.h>

struct help_topic {
    const char *name;
    const char *summary;
    const char *text;
};
extern const struct help_topic help_topics[];
extern const size_t help_topic_count;
