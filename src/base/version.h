/* version.h — the versions we report. SDKs gate features on the first. */
#pragma once

#define PULUMI_VERSION "v3.260.0"
#define CULUMI_VERSION "0.1.0"
