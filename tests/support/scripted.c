/* scripted.c — one program that plays five parts, by the name it is started under: the language
 * host `pulumi-language-script`, any provider `pulumi-resource-PACKAGE`, any policy pack
 * `pulumi-analyzer-PACK`, any converter `pulumi-converter-NAME`, and the runner of scenarios. */
#include "support/host.h"
#include "support/provider.h"
#include "support/runner.h"
#include "support/script.h"

#include "base/fault.h"
#include "base/fs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    CLEANUP(arena_release) struct arena arena = { 0 };
    str *words = ARENA_ARRAY(&arena, str, (size_t)argc + 1);
    str name = fs_path_name(str_from(argc > 0 ? argv[0] : ""));
    str resource = STR("pulumi-resource-"), analyzer = STR("pulumi-analyzer-");
    str converter = STR("pulumi-converter-");

    fault_arm(STR(""),
              STR("")); /* the faults in the environment are meant for the program under test */
    for (int i = 1; i < argc; i++)
        words[i - 1] = str_from(argv[i]);
    struct strs arguments = { words, argc > 0 ? (size_t)argc - 1 : 0 };
    if (str_starts_with(name, STR("pulumi-")))
        script_trace_start(name);
    if (str_equal(name, STR("pulumi-language-script")))
        return host_main(arguments);
    if (str_starts_with(name, resource))
        return provider_main(str_slice(name, resource.len, name.len));
    if (str_starts_with(name, analyzer))
        return analyzer_main(str_slice(name, analyzer.len, name.len));
    if (str_starts_with(name, converter))
        return converter_main(str_slice(name, converter.len, name.len));

    char *self = realpath("/proc/self/exe", NULL);
    if (!self) {
        perror("scenario: find this program");
        return 1;
    }
    signal(SIGHUP, SIG_DFL); /* under nohup the program under test would ignore it */
    int code = runner_main(str_from(self), arguments);
    free(self);
    return code;
}
