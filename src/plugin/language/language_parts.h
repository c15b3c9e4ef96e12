/* language_parts.h — a language host: what the rest of this directory needs of it. */
#pragma once

#include "plugin/language.h"
#include "plugin/process/plugin_process.h"

struct Pb__ProgramInfo;

struct plugin *language_plugin(struct language *language);
void language_cancel_ms(struct language *language, uint64_t timeout_ms);
/* Ends the host; the plugin host must have forgotten it. Blocks. */
void language_free(struct language *owned);

/* As every call to a language host has it. */
fallible language_program_info(struct arena *arena, const struct program_info *program,
                               struct Pb__ProgramInfo *out);

/* One call, by its whole path. Blocks. */
fallible language_call(struct language *language, const char *method,
                       const ProtobufCMessage *request, const ProtobufCMessageDescriptor *type,
                       struct arena *arena, void **answer);
