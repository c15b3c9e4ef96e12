/* ts_texts.h — files of an SDK that are the same in all of them. */
#pragma once

#include "base/str.h"

/* utilities.ts, with @DOWNLOAD_URL@ where that of the plugin belongs. */
str ts_text_utilities(void);
str ts_text_postinstall(void);
