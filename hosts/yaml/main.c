/* main.c — pulumi-language-yaml: the language host for programs in YAML. */
#include "common/life.h"
#include "yaml/serve/host.h"

static fallible yaml_open(void *host_, const struct host_arguments *arguments, struct cancel *scope,
                          uint16_t *port)
{
    struct host **host = host_;

    (void)scope;
    TRY(host_open(arguments->engine_address, host));
    *port = host_port(*host);
    return NULL;
}

static void yaml_close(void *host_)
{
    struct host **host = host_;

    host_close(*host);
}

int main(int argc, char **argv)
{
    struct host *host = NULL;
    const struct host_life life = {
        .runtime = "yaml", .context = &host, .open = yaml_open, .close = yaml_close
    };

    return host_life_run(&life, argc, argv);
}
