/* install_parts.h — the parts of an installation; private to install*.c. */
#pragma once

#include "plugin/install.h"

/* A place to ask. */
struct install_source {
    enum install_answer { ANSWER_ARCHIVE, ANSWER_GITHUB_RELEASE } answers_with;
    str url;
    const char *noun; /* of what is there; NULL: plugin */
    const str *headers;
    size_t header_count;
    const str *public_headers; /* instead of those, if the token is refused */
    size_t public_header_count;
};
struct install_sources {
    struct install_source items[4];
    size_t len;
};

/* "pulumi-resource-aws-v1.2.3-linux-amd64.tar.gz" */
str install_archive_name(struct arena *arena, const struct install_request *request);
/* Where to look for the archive, in turn. */
fallible install_find_sources(const struct install_request *request, struct arena *arena,
                              struct install_sources *out);
/* What answers with {"tag_name": "v1.2.3"}. */
fallible install_find_latest(const struct install_request *request, struct arena *arena,
                             struct install_source *out);

/* A release, as the answer describes it. */
struct install_release {
    str archive; /* the name of the file that is looked for */
    str tag;
    str archive_url; /* empty: it has no such archive */
};
fallible install_release_parse(struct arena *arena, str text, str archive,
                               struct install_release *out);

/* A new file in the folder that has no name, so that nothing is left of it whatever happens. */
fallible install_open_nameless(struct arena *arena, str folder, int *out);

/* What is at that address, and whoever has it may have. Blocks. */
fallible install_fetch(str url, const char *noun, const struct install_listener *listener, int fd);
/* Nothing is lost by the end of an installation, so an interrupt of the host need not wait for it:
 * `install` is canceled then. Blocks. */
fallible install_in_scope(struct plugin_host *host, fallible (*install)(void *context),
                          void *context);

/* The last step: all of it is on the disk, then the file that says that something is missing goes.
 * Blocks. */
fallible install_settle(str folder, str partial);

/* Into the file, checked. Blocks. */
fallible install_download(const struct install_request *request, int fd);
fallible install_check(const struct install_request *request, int fd);

/* Into `folder`, which is not there yet. ERROR_NOT_FOUND: no such repository or version. Blocks. */
struct plugin_git;
fallible install_clone(const struct install_request *request, const struct plugin_git *git,
                       str folder);
fallible install_latest_tag(const struct install_request *request, struct arena *arena, str *out);

/* Runs git; the words end with NULL. `variables` ("NAME=VALUE") are added to its environment. What
 * it prints goes to `output`, which may be NULL. ERROR_NOT_FOUND if it fails. Blocks. */
fallible install_run_git(struct plugin_host *host, struct arena *arena, const char *const *words,
                         struct strs variables, str *output);

/* Everything goes below `folder`, which is empty. Both block the thread. */
fallible install_unpack(int owned_fd, str name, str folder);
fallible install_copy_tree(str from, str folder);
