/* decode.h — pieces that requests of programs have in common. */
#pragma once

#include "model/goal.h"
#include "proto/marshal.h"

#include "pb/resource.pb-c.h"

struct monitor;

/* Refuses what is not a URN; `what` says which it is. */
fallible decode_check_urn(str text, const char *what);
/* Without duplicates. */
fallible decode_urns(struct arena *arena, struct strs texts, const char *what, struct strs *out);
fallible decode_check_aliases(struct aliases aliases);
str decode_position(struct monitor *monitor, struct arena *arena,
                    const Pb__SourcePosition *position);
struct strs decode_trace(struct monitor *monitor, struct arena *arena, const Pb__StackTrace *trace,
                         const char *parent_handle);
/* Remembers where a Construct or Call was made, so that what it registers can say so too. Empty: no
 * position was given. */
str trace_keep(struct monitor *monitor, struct arena *arena, const Pb__SourcePosition *position,
               const Pb__StackTrace *trace, const char *parent_handle);
void trace_drop(struct monitor *monitor, str handle);
/* What the outputs in a value bring along, as often as they do; false if there is no output. */
bool collect_output_dependencies(struct str_list *found, struct value value);
/* The same, without duplicates. */
void add_output_dependencies(struct arena *arena, struct strs *urns, struct value value);
/* What becomes of outputs, unknowns and secrets. */
enum input_form {
    INPUTS_PLAIN,      /* no outputs */
    INPUTS_AS_OUTPUTS, /* all of them are outputs, each as it was sent: transforms and components
                          elsewhere see a secret that is unknown as one output in another */
};
/* Computes the hashes of assets and archives that come without; what is on a server is fetched for
 * it. Blocks. */
fallible decode_assets(struct monitor *monitor, struct arena *arena, struct value *inout);
/* Properties that a program sent. What is wrong with them is told as an unknown failure. */
fallible decode_properties(struct arena *arena, str bytes, const struct unmarshal_options *options,
                           struct value *out);
/* Inputs with hashes of assets. Blocks. */
fallible decode_inputs(struct monitor *monitor, struct arena *arena, str bytes,
                       enum input_form form, struct value *out);
