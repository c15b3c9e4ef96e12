/* main.c — the language host of Python. */
#include "python/python.h"

static const struct language_ops python = {
    .runtime = "python",
    .program_file = "__main__.py",
    .print_program = python_print_program,
    .required_packages = python_required_packages,
    .run = python_run,
    .install = python_install,
    .about = python_about,
    .dependencies = python_dependencies,
    .prompts = python_prompts,
    .fill_template = python_fill_template,
    .run_plugin = python_run_plugin,
    .generate_package = python_generate_package,
    .pack = python_pack,
    .link = python_link,
};

int main(int argc, char **argv)
{
    return host_main(argc, argv, &python);
}
