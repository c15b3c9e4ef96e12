/* yaml_program.h — prints a program of PCL as YAML. */
#pragma once

#include "pcl/pcl_print.h"

fallible yaml_print_program(const struct pcl_program *program, str *out);
