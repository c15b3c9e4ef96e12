/* search.c — files that may be in a folder above. */
#include "common/search.h"

#include "base/fs.h"

str search_up(struct arena *arena, str directory, str name)
{
    while (true) {
        if (fs_exists(fs_path_join(arena, directory, name)))
            return directory;
        str above = fs_path_directory(directory);
        if (str_equal(above, directory) || !fs_path_is_absolute(directory))
            return STR("");
        directory = above;
    }
}
