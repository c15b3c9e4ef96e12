/* process_output.c — a child that is run to its end, and what it prints. */
#include "fiber/process_output.h"

#include "fiber/fiber.h"
#include "fiber/process.h"
#include "fiber/socket.h"

#include <string.h>

enum { CHUNK = 4096, GRACE_MS = 1000 };

void process_output_release(struct process_output *output)
{
    if (output->text.len > 0)
        explicit_bzero(output->text.ptr, output->text.len);
    strbuf_release(&output->text);
}

static void process_output_read(void *output_)
{
    struct process_output *output = output_;
    char chunk[CHUNK];
    size_t len = 1;

    while (len > 0) {
        struct error *failure = stream_read(output->from, chunk, sizeof(chunk), &len);
        if (failure) {
            error_ignore(failure, "the end of its output, one way or another");
            break;
        }
        if (output->text.len + len <= output->limit)
            strbuf_add(&output->text, (str){ chunk, len });
        else
            output->is_cut = true;
        explicit_bzero(chunk, len);
    }
    latch_open(&output->done);
}

static void process_output_begin(struct process_output *output, struct stream *from)
{
    output->from = from;
    fiber_spawn(process_output_read, output);
}

/* Something that it left behind may hold the stream open. */
static void process_output_end(struct process_output *output)
{
    if (!latch_wait_uncancelable_ms(&output->done, GRACE_MS))
        stream_shutdown(output->from);
    latch_wait_uncancelable(&output->done);
}

fallible process_collect(struct process *owned, uint64_t longest_ms, struct process_output *out,
                         struct process_output *err, int *status)
{
    process_output_begin(out, process_stdout(owned));
    process_output_begin(err, process_stderr(owned));
    struct error *failure =
        longest_ms ? process_wait_ms(owned, longest_ms, status) : process_wait(owned, status);
    if (failure)
        process_end(owned, GRACE_MS);
    process_output_end(out);
    process_output_end(err);
    process_close(owned, 0);
    return failure;
}
