/* plugin_machine.c — says why the system cannot run a file: mostly it was built for another
 * machine. */
#include "plugin/process/plugin_process.h"

#include "plugin/install.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

static const char *machine_name(uint16_t machine)
{
    switch (machine) {
    case EM_X86_64: return "linux-amd64";
    case EM_AARCH64: return "linux-arm64";
    case EM_386: return "linux-386";
    case EM_ARM: return "linux-arm";
    case EM_PPC64: return "linux-ppc64le";
    case EM_S390: return "linux-s390x";
    case EM_RISCV: return "linux-riscv64";
    default: return NULL;
    }
}

/* The platform by the first bytes of the file, or NULL. */
static const char *platform_of(const unsigned char *head, size_t len)
{
    static const uint32_t mach_o[] = { 0xfeedface, 0xfeedfacf, 0xcefaedfe,
                                       0xcffaedfe, 0xcafebabe, 0xbebafeca };
    uint32_t magic;

    if (len < sizeof(Elf64_Ehdr) || memcmp(head, "MZ", 2) == 0)
        return len >= 2 && memcmp(head, "MZ", 2) == 0 ? "Windows" : NULL;
    if (memcmp(head, ELFMAG, SELFMAG) == 0) {
        bool is_big = head[EI_DATA] == ELFDATA2MSB;
        size_t at = offsetof(Elf64_Ehdr, e_machine);
        return machine_name((uint16_t)(head[at + is_big] | head[at + !is_big] << 8));
    }
    memcpy(&magic, head, sizeof(magic));
    for (size_t i = 0; i < sizeof(mach_o) / sizeof(*mach_o); i++)
        if (magic == mach_o[i])
            return "macOS";
    return NULL;
}

fallible plugin_cannot_run(struct error *owned, str path)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    unsigned char head[sizeof(Elf64_Ehdr)];
    int fd = open(arena_cstr(&scratch, path), O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, head, sizeof(head)) : 0;
    const char *platform = len > 0 ? platform_of(head, (size_t)len) : NULL;

    if (fd >= 0)
        close(fd);
    if (!platform || str_equal(str_from(platform), plugin_platform()))
        return owned;
    error_free(owned);
    return error_new(ERROR_INVALID, "it was built for %s, and this machine is " STR_FMT, platform,
                     STR_ARG(plugin_platform()));
}
