/* signatures.h — the magic texts that mark special values on the wire and in the state. */
#pragma once

#include "model/value.h"

/* An object with this key is special; the string under it says which kind. */
#define SIGNATURE_KEY STR("4dabf18193072939515e22adb298388d")

#define SIGNATURE_SECRET STR("1b47061264138c4ac30d75fd1eb44270")
#define SIGNATURE_REFERENCE STR("5cf8f73096256a8f31e491e813e4eb8e")
/* Wire only, never in the state. */
#define SIGNATURE_OUTPUT STR("d0e6a833031e9bbcd3f4e8bde6ca49a4")
#define SIGNATURE_ASSET STR("c44067f5952c0a294b673a41bacd8c17")
#define SIGNATURE_ARCHIVE STR("0def7320c3a5731c473e5ecbe6d01bc7")
/* `value`: standard base64 with padding. */
#define SIGNATURE_BYTE_STRING STR("803fd3297a5875dc03ca845dda5d2a98")
/* State only: NaN, infinities. */
#define SIGNATURE_FLOAT STR("8ad145fe-0d11-4827-bfd7-1abcbf086f5c")

/* Unknown values are strings of their own. The first is also the id of a provider that is not
 * created yet. */
#define UNKNOWN_STRING_TEXT STR("04da6b54-80e4-46f7-96ec-b56ff0331ba9")
#define UNKNOWN_BOOL_TEXT STR("1c4a061d-8072-4f0a-a4cb-0ff528b18fe7")
#define UNKNOWN_NUMBER_TEXT STR("3eeb2bf0-c639-47a8-9e75-3b44932eb421")
#define UNKNOWN_ARRAY_TEXT STR("6a19a0b0-7e62-4c92-b797-7f8e31da9cc2")
#define UNKNOWN_ASSET_TEXT STR("030794c1-ac77-496b-92df-f27374a8bd58")
#define UNKNOWN_ARCHIVE_TEXT STR("e48ece36-62e2-4504-bad9-02848725956a")
#define UNKNOWN_OBJECT_TEXT STR("dd056dcd-154b-4c76-9bd3-c8f88648b5ff")
enum { UNKNOWN_TEXT_LEN = 36, SIGNATURE_LEN = 32 };

/* The hashes of an empty text asset and of an archive without members. Another hash without
 * contents means that they were elided. */
#define ASSET_EMPTY_HASH STR("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
#define ARCHIVE_EMPTY_HASH STR("5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef")

static inline str unknown_text(enum unknown_type type)
{
    switch (type) {
    case UNKNOWN_STRING: return UNKNOWN_STRING_TEXT;
    case UNKNOWN_BOOL: return UNKNOWN_BOOL_TEXT;
    case UNKNOWN_NUMBER: return UNKNOWN_NUMBER_TEXT;
    case UNKNOWN_ARRAY: return UNKNOWN_ARRAY_TEXT;
    case UNKNOWN_ASSET: return UNKNOWN_ASSET_TEXT;
    case UNKNOWN_ARCHIVE: return UNKNOWN_ARCHIVE_TEXT;
    case UNKNOWN_OBJECT: return UNKNOWN_OBJECT_TEXT;
    }
    return UNKNOWN_STRING_TEXT;
}

/* Whether a string is the mark of an unknown; `out` is written only then. The length decides for
 * most. */
static inline bool unknown_from_text(str text, enum unknown_type *out)
{
    if (text.len != UNKNOWN_TEXT_LEN)
        return false;
    for (int type = UNKNOWN_STRING; type <= UNKNOWN_OBJECT; type++) {
        if (str_equal(text, unknown_text((enum unknown_type)type))) {
            *out = (enum unknown_type)type;
            return true;
        }
    }
    return false;
}
