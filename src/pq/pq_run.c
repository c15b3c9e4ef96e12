/* pq_run.c — statements of many fibers on one connection: they go out at once, and the answers find
 * their way back. */
#include "pq/pq_connection.h"

#include "base/memory.h"
#include "base/vec.h"
#include "fiber/fiber.h"
#include "fiber/signals.h"

#include <stdlib.h>

enum {
    FLUSH_LOOK_MS = 100,
    ANSWER_LOOK_MS = 250,
    ANSWER_STALLS = 5, /* an answer may take longer than what is sent: the server works for it */
    ASKED_MS = 10000,  /* how long an answer is waited for when a signal asks us to end */
};

/* Invariants:
 * 1. `first` … `last` are the sync points that were sent and not answered yet. Answers come in that
 *    order, so every result belongs to `first`.
 * 2. At most one fiber reads (`is_reading`); it hands out results to all. When it leaves, another
 *    one that still waits goes on.
 * 3. At most one fiber sends; a batch is handed to libpq whole, without a wait in between. */

str pq_cell(const struct pq_rows *rows, size_t row, size_t column)
{
    BUG_IF(row >= rows->count || column >= rows->width);
    return rows->cells[row * rows->width + column];
}

bool pq_is_lost(const struct pq_connection *connection)
{
    return connection->is_lost;
}

bool pq_is_interrupted(const struct pq_connection *connection)
{
    return connection->patience == PQ_INTERRUPTED;
}

size_t pq_round_trips(const struct pq_connection *connection)
{
    return connection->round_trips;
}

void pq_pop(struct pq_connection *connection)
{
    struct pq_request *request = connection->first;

    connection->first = request->next;
    if (!connection->first)
        connection->last = NULL;
    if (request->round > connection->answered)
        connection->answered = request->round;
    free(request);
}

static void pq_push(struct pq_connection *connection, struct pq_batch *batch)
{
    struct pq_request *request = memory_zalloc(sizeof(*request));

    request->batch = batch;
    request->round = connection->answered + 1;
    connection->round_trips = request->round;
    if (connection->last)
        connection->last->next = request;
    else
        connection->first = request;
    if (connection->first == request)
        connection->silent_ms = connection->asked_ms = 0;
    connection->last = request;
}

/* --- a connection that ended --- */

static fallible pq_lost(const struct pq_connection *connection)
{
    static const char *const reasons[] = {
        [PQ_STALLED] =
            "the server takes nothing of what is sent to it; is it overloaded or stopped?",
        [PQ_SILENT] = "the server does not answer any more; is it overloaded or stopped?",
        [PQ_INTERRUPTED] = "the server did not answer, and was not waited for any longer",
    };
    str text = str_trim(str_from(connection->library.errorMessage(connection->session)));

    if (connection->patience != PQ_PATIENT)
        text = str_from(reasons[connection->patience]);
    return error_mark_lost(
        error_new(ERROR_OTHER, "the connection to '" STR_FMT "' was cut%s" STR_FMT,
                  STR_ARG(connection->shown), text.len ? ": " : "", STR_ARG(text)),
        true);
}

static void pq_batch_done(struct pq_batch *batch)
{
    batch->is_done = true;
    latch_open(&batch->news);
}

/* Nobody gets an answer any more. */
static void pq_give_up(struct pq_connection *connection)
{
    connection->is_lost = true;
    for (struct pq_request *request = connection->first; request; request = request->next) {
        struct pq_batch *batch = request->batch;
        if (!batch || batch->is_done)
            continue;
        error_free(batch->failure);
        batch->failure = pq_lost(connection);
        batch->state[0] = '\0';
        pq_batch_done(batch);
    }
    while (connection->first)
        pq_pop(connection);
}

/* --- answers --- */

/* The server ends the session by such a refusal: 08 connection, 57P01 to 57P03 shutdown. */
static bool pq_ends_session(const char *state)
{
    return strncmp(state, "08", 2) == 0 || strncmp(state, "57P0", 4) == 0;
}

static void pq_take_refusal(struct pq_connection *connection, struct pq_batch *batch,
                            const void *result)
{
    const struct pq_library *library = &connection->library;
    const char *state = library->resultErrorField(result, FIELD_STATE);
    const char *message = library->resultErrorField(result, FIELD_MESSAGE);
    const char *hint = library->resultErrorField(result, FIELD_HINT);

    if (!state || pq_ends_session(state)) {
        pq_give_up(connection);
        return;
    }
    if (batch->failure)
        return;
    memcpy(batch->state, state, strnlen(state, PQ_STATE_SIZE - 1));
    batch->failure = error_new(ERROR_INVALID, "'" STR_FMT "' refused: %s%s%s%s",
                               STR_ARG(connection->shown), message ? message : "no reason given",
                               hint ? " (" : "", hint ? hint : "", hint ? ")" : "");
}

static void pq_take_rows(const struct pq_library *library, struct pq_batch *batch, void *result)
{
    struct pq_rows *rows = &batch->statements[batch->at].rows;
    int count = library->ntuples(result), width = library->nfields(result);
    str *cells = ARENA_ARRAY(batch->arena, str, (size_t)count * (size_t)width);

    for (int i = 0; i < count; i++)
        for (int j = 0; j < width; j++)
            cells[i * width + j] =
                arena_copy(batch->arena, (str){ library->getvalue(result, i, j),
                                                (size_t)library->getlength(result, i, j) });
    *rows = (struct pq_rows){ .count = (size_t)count, .width = (size_t)width, .cells = cells };
    /* Empty for what changes nothing: then it stays 0. */
    (void)str_to_u64(str_from(library->cmdTuples(result)), &rows->changed);
}

/* A result, or NULL behind the last one of a statement. */
static void pq_take(struct pq_connection *connection, void *result)
{
    const struct pq_library *library = &connection->library;
    struct pq_batch *batch = connection->first->batch;

    if (!result) {
        if (batch)
            batch->at++;
        return;
    }
    int status = library->resultStatus(result);
    if (status == RESULT_PIPELINE_SYNC) {
        pq_pop(connection);
        if (batch)
            pq_batch_done(batch);
    } else if (batch && (status == RESULT_COMMAND_OK || status == RESULT_TUPLES_OK)) {
        if (batch->at < batch->count)
            pq_take_rows(library, batch, result);
    } else if (batch && status != RESULT_PIPELINE_ABORTED) {
        pq_take_refusal(connection, batch, result);
    }
}

static void pq_take_all(struct pq_connection *connection)
{
    const struct pq_library *library = &connection->library;

    while (connection->first && !library->isBusy(connection->session)) {
        void *result = library->getResult(connection->session);
        pq_take(connection, result);
        if (result)
            library->clear(result);
    }
    if (connection->first && library->status(connection->session) != CONNECTION_GOOD)
        pq_give_up(connection);
}

/* What writes is not cut short by cancellation, and holds back signals under a lock: who asks us
 * to end is heard here, if late. A network that is gone is noticed by keepalives. */
static void pq_bear_silence(struct pq_connection *connection)
{
    connection->silent_ms += ANSWER_LOOK_MS;
    if (signals_have_asked())
        connection->asked_ms += ANSWER_LOOK_MS;
    if (connection->asked_ms >= ASKED_MS)
        connection->patience = PQ_INTERRUPTED;
    else if (connection->silent_ms >= ANSWER_STALLS * connection->stall_ms)
        connection->patience = PQ_SILENT;
    else
        return;
    pq_give_up(connection);
}

/* Waits for more, and hands out what came. Only ERROR_CANCELED comes back. */
static fallible pq_read_more(struct pq_connection *connection)
{
    struct error *failure = stream_wait_bytes(connection->socket, ANSWER_LOOK_MS);

    if (failure && error_kind(failure) == ERROR_CANCELED)
        return failure;
    if (failure && error_kind(failure) == ERROR_TIMEOUT) {
        error_ignore(failure, "another look follows");
        pq_bear_silence(connection);
        return NULL;
    }
    connection->silent_ms = connection->asked_ms = 0;
    error_ignore(failure, "reading meets it too");
    if (!connection->library.consumeInput(connection->session))
        pq_give_up(connection);
    else
        pq_take_all(connection);
    return NULL;
}

/* --- waiting --- */

/* Wakes one that can go on reading. */
static void pq_hand_over(struct pq_connection *connection)
{
    for (struct pq_request *request = connection->first; request; request = request->next) {
        if (!request->batch || request->batch->is_done)
            continue;
        latch_open(&request->batch->news);
        return;
    }
}

static fallible pq_await_turn(struct pq_connection *connection, struct pq_batch *batch)
{
    if (connection->is_reading) {
        batch->news = (struct latch){ 0 };
        return latch_wait(&batch->news);
    }
    connection->is_reading = true;
    struct error *failure = pq_read_more(connection);
    connection->is_reading = false;
    return failure;
}

/* Its answers are dropped when they come. */
static void pq_abandon(struct pq_connection *connection, const struct pq_batch *batch)
{
    for (struct pq_request *request = connection->first; request; request = request->next)
        if (request->batch == batch)
            request->batch = NULL;
}

static fallible pq_await(struct pq_connection *connection, struct pq_batch *batch)
{
    struct error *failure = NULL;

    while (!batch->is_done && !failure)
        failure = pq_await_turn(connection, batch);
    if (!batch->is_done)
        pq_abandon(connection, batch);
    if (!connection->is_reading)
        pq_hand_over(connection);
    return batch->is_done ? error_join(batch->failure, failure)
                          : error_join(failure, batch->failure);
}

/* --- sending --- */

static bool pq_hand_in(struct pq_connection *connection, const struct pq_statement *statement)
{
    const char **values = memory_alloc((statement->value_count + 1) * sizeof(*values));

    for (size_t i = 0; i < statement->value_count; i++)
        values[i] = statement->values[i].ptr;
    int is_good = connection->library.sendQueryParams(connection->session, statement->text,
                                                      (int)statement->value_count, NULL, values,
                                                      NULL, NULL, 0);
    free(values);
    return is_good;
}

/* A statement that is half on its way cannot be taken back, so this is not cut short but by a
 * server that takes nothing for so long. Each flush also takes in what has come: a server whose
 * answer nobody waits for any more does not read on before it is rid of it. */
static bool pq_flush(struct pq_connection *connection)
{
    uint64_t waited_ms = 0;

    while (true) {
        int left = connection->library.flush(connection->session);
        if (left <= 0)
            return left == 0;
        struct error *failure = stream_wait_room(connection->socket, FLUSH_LOOK_MS);
        if (!failure) {
            waited_ms = 0;
            continue;
        }
        bool is_slow = error_kind(failure) == ERROR_TIMEOUT;
        error_ignore(failure, "too slow, canceled or closed: the connection is of no use");
        waited_ms += FLUSH_LOOK_MS;
        if (is_slow && waited_ms >= connection->stall_ms)
            connection->patience = PQ_STALLED;
        else if (is_slow && waited_ms >= ASKED_MS && signals_have_asked())
            connection->patience = PQ_INTERRUPTED;
        if (!is_slow || connection->patience != PQ_PATIENT)
            return false;
    }
}

static void pq_send(struct pq_connection *connection, struct pq_batch *batch)
{
    bool is_good = true;

    for (size_t i = 0; i < batch->count && is_good; i++)
        is_good = pq_hand_in(connection, &batch->statements[i]);
    pq_push(connection, batch);
    if (!is_good || !connection->library.pipelineSync(connection->session) || !pq_flush(connection))
        pq_give_up(connection);
}

fallible pq_run(struct pq_connection *connection, struct arena *arena,
                struct pq_statement *statements, size_t count, char state[PQ_STATE_SIZE])
{
    struct pq_batch batch = {
        .arena = arena, .statements = statements, .count = count, .state = state
    };

    memset(state, 0, PQ_STATE_SIZE);
    TRY(semaphore_wait(&connection->sending));
    if (!connection->is_lost)
        pq_send(connection, &batch);
    semaphore_post(&connection->sending);
    if (connection->is_lost && !batch.is_done)
        return pq_lost(connection);
    return pq_await(connection, &batch);
}
