/* main.c — the language host of Go. */
#include "go/golang.h"

static const struct language_ops go = {
    .runtime = "go",
    .program_file = "main.go",
    .print_program = go_print_program,
    .required_packages = go_required_packages,
    .run = go_run,
    .install = go_install,
    .about = go_about,
    .dependencies = go_dependencies,
    .run_plugin = go_run_plugin,
    .generate_package = go_generate_package,
    .pack = go_pack,
    .link = go_link,
};

int main(int argc, char **argv)
{
    return host_main(argc, argv, &go);
}
