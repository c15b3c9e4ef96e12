/* pcl_tree.c — asking trees of PCL. */
#include "pcl/pcl.h"

const struct pcl_expr *pcl_attribute(const struct pcl_body *body, str name)
{
    for (size_t i = 0; i < body->attribute_count; i++)
        if (str_equal(body->attributes[i].key, name))
            return body->attributes[i].value;
    return NULL;
}

const struct pcl_block *pcl_block(const struct pcl_body *body, str kind)
{
    for (size_t i = 0; i < body->block_count; i++)
        if (str_equal(body->blocks[i].kind, kind))
            return &body->blocks[i];
    return NULL;
}

const struct pcl_expr *pcl_find(const struct pcl_expr *object, str key)
{
    for (size_t i = 0; object->kind == PCL_OBJECT && i < object->len; i++)
        if (str_equal(object->members[i].key, key))
            return object->members[i].value;
    return NULL;
}
