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

static bool pcl_members_equal(const struct pcl_member *a, const struct pcl_member *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!str_equal(a[i].key, b[i].key) || !pcl_equal(a[i].value, b[i].value))
            return false;
    return true;
}

bool pcl_equal(const struct pcl_expr *a, const struct pcl_expr *b)
{
    if (a->kind != b->kind || a->len != b->len || a->boolean != b->boolean || a->number < b->number
        || a->number > b->number || !str_equal(a->text, b->text))
        return false;
    for (size_t i = 0; a->kind != PCL_OBJECT && i < a->len; i++)
        if (!pcl_equal(a->items[i], b->items[i]))
            return false;
    return a->kind != PCL_OBJECT || pcl_members_equal(a->members, b->members, a->len);
}

static bool pcl_blocks_equal(const struct pcl_block *a, const struct pcl_block *b)
{
    if (!str_equal(a->kind, b->kind) || a->label_count != b->label_count)
        return false;
    for (size_t i = 0; i < a->label_count; i++)
        if (!str_equal(a->labels[i], b->labels[i]))
            return false;
    return pcl_body_equal(&a->body, &b->body);
}

bool pcl_body_equal(const struct pcl_body *a, const struct pcl_body *b)
{
    if (a->attribute_count != b->attribute_count || a->block_count != b->block_count)
        return false;
    for (size_t i = 0; i < a->block_count; i++)
        if (!pcl_blocks_equal(&a->blocks[i], &b->blocks[i]))
            return false;
    return pcl_members_equal(a->attributes, b->attributes, a->attribute_count);
}
