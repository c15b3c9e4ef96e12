/* template_pack_data.c — the built-in templates as tools/pack-templates has put them together. They
 * are read from the disk with the page that holds them, when somebody asks. */
#include "template/template_pack.h"

__asm__(".section .rodata.templates, \"a\"\n"
        ".globl template_pack_start\n"
        ".globl template_pack_end\n"
        "template_pack_start:\n"
        ".incbin \"build/gen/templates.pack\"\n"
        "template_pack_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const char template_pack_start[], template_pack_end[];

str template_pack_bytes(void)
{
    return (str){ template_pack_start, (size_t)(template_pack_end - template_pack_start) };
}
