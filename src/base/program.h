/* program.h — the name that the user called this program by. Every hint that names a command is
 * made with it: on a machine that has both, `pulumi` is another program than `culumi`. */
#pragma once

/* "culumi" or "pulumi". In a language host, the name of the engine that started it. */
const char *program_name(void);

/* By this variable a language host learns the name of its engine. */
#define PROGRAM_NAME_VARIABLE "CULUMI_PROGRAM"
