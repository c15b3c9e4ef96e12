/* aws_profile.h — the files of the AWS command line: ~/.aws/config and ~/.aws/credentials. */
#pragma once

#include "base/error.h"
#include "base/pairs.h"

/* One file: sections of `name = value`. Pure, fuzzed. Lines that are neither are ignored, as are
 * indented ones, which belong to the value before. Later sections of the same name add to it. */
struct aws_section {
    str name; /* as it stands between the brackets, blanks trimmed */
    struct pairs values;
};
struct aws_sections {
    struct aws_section *items;
    size_t len;
};
void aws_sections_parse(struct arena *arena, str text, struct aws_sections *out);

/* Everything both files say about a profile; what the credentials file says counts. */
struct aws_profile {
    str name;
    bool exists;
    struct pairs values;
};
/* AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name other files than those in `home`. A file
 * that is not there is empty. */
fallible aws_profile_load(struct arena *arena, str home, str name, struct aws_profile *out);
/* The section [sso-session NAME] of the file of profiles. */
fallible aws_session_load(struct arena *arena, str home, str name, struct aws_profile *out);
str aws_profile_value(const struct aws_profile *profile, const char *name);
