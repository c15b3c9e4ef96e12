/* converter.h — plugins that turn the states of other tools into lists of resources to import, and
 * their programs into PCL. */
#pragma once

#include "plugin/plugin.h"

/* What a converter knows of one resource; empty where it says nothing. */
struct converted_resource {
    str type;
    str name;
    str id;
    str logical_name;
    str version;
    str download_url;
    str parent;
    str provider;
    struct strs properties;
    bool is_component;
    bool is_remote;
    struct package_ref package; /* if is_parameterized: of which plugin, and by what */
    struct value inputs;        /* null: none */
    struct value outputs;
};

struct converted_state {
    const struct converted_resource *items;
    size_t len;
    struct strs complaints; /* each with its severity in front */
    bool has_failed;        /* one of them is an error */
};

struct converter_addresses {
    str loader;
    str mapper;
};

/* Starts pulumi-converter-NAME, which gets the words of the line that are for it. Blocks. */
fallible converter_convert_state(struct plugin_host *host, str name, struct strs words,
                                 const struct converter_addresses *addresses, struct arena *arena,
                                 struct converted_state *out);

/* A program of another tool, to be written as PCL. */
struct converter_program {
    str source;      /* folder of the program */
    str target;      /* folder that gets the PCL; it is there */
    str destination; /* where the project will be in the end */
    struct strs words;
};
struct converter_complaints {
    struct strs items; /* each with its severity in front */
    bool has_failed;
};
/* Blocks. */
fallible converter_convert_program(struct plugin_host *host, str name,
                                   const struct converter_program *program,
                                   const struct converter_addresses *addresses, struct arena *arena,
                                   struct converter_complaints *out);
