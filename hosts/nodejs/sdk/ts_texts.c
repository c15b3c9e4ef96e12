/* ts_texts.c — files of an SDK that are the same in all of them, as they lie beside this one. */
#include "nodejs/sdk/ts_texts.h"

__asm__(".section .rodata.sdk, \"a\"\n"
        ".globl ts_utilities_start\n"
        ".globl ts_utilities_end\n"
        ".globl ts_postinstall_start\n"
        ".globl ts_postinstall_end\n"
        "ts_utilities_start:\n"
        ".incbin \"hosts/nodejs/sdk/utilities.ts\"\n"
        "ts_utilities_end:\n"
        ".byte 0\n"
        "ts_postinstall_start:\n"
        ".incbin \"hosts/nodejs/sdk/postinstall.js\"\n"
        "ts_postinstall_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char ts_utilities_start[], ts_utilities_end[];
extern const char ts_postinstall_start[], ts_postinstall_end[];

str ts_text_utilities(void)
{
    return (str){ ts_utilities_start, (size_t)(ts_utilities_end - ts_utilities_start) };
}

str ts_text_postinstall(void)
{
    return (str){ ts_postinstall_start, (size_t)(ts_postinstall_end - ts_postinstall_start) };
}
