/* fuzz_visit.c — what a browser sends: parts of a request are parts of its head, and only a visit
 * under a name of this machine is local. */
#include "cli/screen/visits.h"

#include "fuzz/fuzz_support.h"

static bool visit_is_inside(str part, str whole)
{
    return !part.len || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str head = { (const char *)data, size };
    struct visit visit = visit_parse(head);

    REQUIRE(visit_is_inside(visit.method, head) && visit_is_inside(visit.target, head)
            && visit_is_inside(visit.host, head));
    REQUIRE(!visit.method.len || visit.head.len == head.len);
    if (visit_is_local(&visit))
        REQUIRE(str_find(visit.host, STR("127.0.0.1")) == 0
                || str_find(visit.host, STR("[::1]")) == 0
                || str_same_letters(str_slice(visit.host, 0, 9), STR("localhost")));
    return 0;
}
