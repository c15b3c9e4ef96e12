/* main.c — the language host of JavaScript and TypeScript on Node.js. */
#include "nodejs/nodejs.h"

static const struct language_ops nodejs = {
    .runtime = "nodejs",
    .program_file = "index.ts",
    .print_program = node_print_program,
    .required_packages = node_required_packages,
    .run = node_run,
    .install = node_install,
    .about = node_about,
    .dependencies = node_dependencies,
    .prompts = node_prompts,
    .fill_template = node_fill_template,
    .run_plugin = node_run_plugin,
    .generate_package = node_generate_package,
    .pack = node_pack,
    .link = node_link,
};

int main(int argc, char **argv)
{
    return host_main(argc, argv, &nodejs);
}
