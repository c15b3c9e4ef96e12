/* test_asset.c — hashes of assets and archives, against values that the reference computes. */
#include "unit/check.h"

#include "base/fs.h"
#include "base/strbuf.h"
#include "model/signatures.h"
#include "archive/archive_read.h"
#include "archive/asset_hash.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static struct value text_asset(struct arena *arena, str text)
{
    struct asset *asset = ARENA_NEW(arena, struct asset);
    asset->text = text;
    asset->has_text = true;
    return (struct value){ .kind = VALUE_ASSET, .asset = asset };
}

static struct value path_value(struct arena *arena, enum value_kind kind, str path, str uri)
{
    struct asset *asset = ARENA_NEW(arena, struct asset);
    asset->path = path;
    asset->uri = uri;
    return (struct value){ .kind = (uint8_t)kind, .asset = asset };
}

static struct value archive_of(struct arena *arena, const struct member *members, size_t len)
{
    struct asset *archive = ARENA_NEW(arena, struct asset);
    archive->has_members = true;
    archive->members = value_object(arena, members, len);
    return (struct value){ .kind = VALUE_ARCHIVE, .asset = archive };
}

static str hash_of(struct arena *arena, str base, struct value asset)
{
    struct value hashed;
    assert_ok(asset_hash(arena, &(struct asset_places){ .base_directory = base }, asset, &hashed));
    assert_int_equal(hashed.kind, asset.kind);
    return hashed.asset->hash;
}

/* Of an archive with one text member. */
static str hash_of_one(struct arena *arena, str name, str text)
{
    struct member member = { name, text_asset(arena, text) };
    return hash_of(arena, STR(""), archive_of(arena, &member, 1));
}

static str repeated(struct arena *arena, const char *text, size_t count)
{
    str result = STR("");
    for (size_t i = 0; i < count; i++)
        result = arena_concat(arena, result, str_from(text));
    return result;
}

/* A folder of its own for each test, which removes it at the end. */
static str make_folder(struct arena *arena)
{
    char template[] = "/tmp/test_asset.XXXXXX";
    assert_non_null(mkdtemp(template));
    return arena_copy(arena, str_from(template));
}

static void put_file(struct arena *arena, str folder, const char *name, str content)
{
    str path = fs_path_join(arena, folder, str_from(name));
    assert_ok(fs_make_directory(fs_path_directory(path), 0700));
    assert_ok(fs_replace_quick(path, content, 0600));
}

static void an_asset_hashes_its_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    str hi = STR("8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4");
    put_file(&arena, folder, "a b.txt", STR("hi"));
    assert_str_equal(hash_of(&arena, STR(""), text_asset(&arena, STR(""))), ASSET_EMPTY_HASH);
    assert_str_equal(hash_of(&arena, STR(""), text_asset(&arena, STR("hi"))), hi);
    assert_str_equal(
        hash_of(&arena, folder, path_value(&arena, VALUE_ASSET, STR("./a b.txt"), STR(""))), hi);
    str absolute = fs_path_join(&arena, folder, STR("a b.txt"));
    assert_str_equal(
        hash_of(&arena, STR("/elsewhere"), path_value(&arena, VALUE_ASSET, absolute, STR(""))), hi);
    str uris[] = {
        arena_concat(&arena, STR("file://"), folder, STR("/a%20b.txt")),
        arena_concat(&arena, STR("file://localhost"), folder, STR("/a%20b.txt")),
    };
    assert_str_equal(hash_of(&arena, STR(""), path_value(&arena, VALUE_ASSET, STR(""), uris[0])),
                     hi);
    assert_str_equal(hash_of(&arena, STR(""), path_value(&arena, VALUE_ASSET, STR(""), uris[1])),
                     hi);
    assert_ok(fs_remove_tree(folder));
}

static void a_hash_that_is_there_is_believed(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct value asset = path_value(&arena, VALUE_ASSET, STR("not there"), STR(""));
    ((struct asset *)(uintptr_t)asset.asset)->hash = STR("given");
    assert_str_equal(hash_of(&arena, STR(""), asset), STR("given"));
}

static void archives_of_texts_hash_a_tar_stream(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str long_split =
        arena_concat(&arena, repeated(&arena, "d", 90), STR("/"), repeated(&arena, "f", 90));
    str short_split =
        arena_concat(&arena, repeated(&arena, "d", 60), STR("/"), repeated(&arena, "f", 60));
    const struct {
        str name, text, hash;
    } cases[] = {
        { STR("x.txt"), STR("x"),
          STR("9fde4333f4c944f8a55906d19741b02ee24e1a66f7e5dd847618131e8771963a") },
        { long_split, STR("x"),
          STR("f2cabd709bc854067f1f3a53b14d706d46734f8e2de7bdaac3ae3a897a9fb63f") },
        { repeated(&arena, "f", 120), STR("x"),
          STR("ecfd9ca254c46c92449932a9dff70d504304cbf894c88328c3e843f5d7340b57") },
        { STR("é.txt"), STR("x"),
          STR("1e6e93eb34a7f88fa180fc7877c3b0966d140fe997c02dfeafa259a177e0b645") },
        { STR("a.txt"), STR("hello\n"),
          STR("7ffb0193a0c932eec1d3790422f28138b89fec63b67b3c7542298febee96a6c0") },
        { STR("é.txt"), STR("hi"),
          STR("d5ae09f091a193a7fec2ee699a914a8fc79c0775b70a694855f109991c4e3ab8") },
        { short_split, STR("hi"),
          STR("97814d222c0056f0d177ee91e01b643dd3b2972c422829d31b5c9fff164baba3") },
        { repeated(&arena, "n", 120), STR("hi"),
          STR("ad0584ea08407fee42647cf097e609a4a06ceec852df25d7b7bc8af3be1031a6") },
        { STR("a"), STR("hi"),
          STR("0f445bebbc01ec8e6803c37e32e9c1014559f0eb1f4beaa8b0506d74cd73d295") },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_str_equal(hash_of_one(&arena, cases[i].name, cases[i].text), cases[i].hash);
    assert_str_equal(hash_of(&arena, STR(""), archive_of(&arena, NULL, 0)), ARCHIVE_EMPTY_HASH);
}

static void strange_names_hash_as_the_reference_writes_them(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str a99 = repeated(&arena, "a", 99), a155 = repeated(&arena, "a", 155),
        b100 = repeated(&arena, "b", 100);
    str b50 = repeated(&arena, "b", 50);
    const struct {
        str name, hash;
    } cases[] = {
        { repeated(&arena, "n", 100),
          STR("c947a00bf2f5ef902e20488de87314fdf83c9d55d2675ee74f0efe30a842adb8") },
        { repeated(&arena, "n", 101),
          STR("2fea9249863ed8bb63ec05b478f2a6c421b582614939fd40bce717c84e009da1") },
        { arena_concat(&arena, a99, STR("/"), b50),
          STR("1232c66e3ef453713e0b8dc7529721b107a92fd349e58695c262b488cdc9dd21") },
        { arena_concat(&arena, a155, STR("/"), b100),
          STR("7f53dda191e7a22e40e77de09f1ec44be62007cfcb0d28d943b269ad3f96c408") },
        { arena_concat(&arena, STR("a"), a155, STR("/"), b100),
          STR("e8e852e9cc80dd6ffab5c83a268aa7c97128127b9cb4dfdfea57688722cd356e") },
        { arena_concat(&arena, a99, STR("/é"), b50),
          STR("9ea47ae4eeb023830d8431401ae27499aca45f7d7a74ef1457b18412dd59e88f") },
        { arena_concat(&arena, repeated(&arena, "é", 80), STR("/x")),
          STR("60ff6fe6b1c0626b14dc9166ed57b8afac9dae2f3b94c4d35c877018f79a8973") },
        { STR("../up"), STR("887446849ceec8eafea29380d15961b85cda7bc8d333e57748819426256a8416") },
        { STR("/abs"), STR("60b2a631cc47ff9cd575c2c6162c11840cee92c825d4fc41757057743d4af5d0") },
        { arena_concat(&arena, STR("a//b/"), repeated(&arena, "c", 120)),
          STR("a054a78f0a123641f9ec2e770168ac8b2043c8bb96cf8d96ade9316033ae50fe") },
        { STR(""), STR("154b8601e22a6e779870931001954c2642bf78cc59577da741931454cd854b69") },
        { arena_concat(&arena, repeated(&arena, "ab/", 90), STR("z")),
          STR("acaff4cdc14168aec5e1fa938833274ae78be4c64fb9e438910c7139a76a6fdd") },
        { STR("\xff\xfe"),
          STR("cfaa09cb24af0402efc9aa02cc39ced1982d3a0d0e044b317e532c10f4622676") },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_str_equal(hash_of_one(&arena, cases[i].name, STR("x")), cases[i].hash);
    assert_str_equal(hash_of_one(&arena, STR("folder/"), STR("")),
                     STR("0024c5fe8758007ce187b82425739c34868f07ec10f45652f99f5c57b562dccf"));
    assert_str_equal(hash_of_one(&arena, STR("a/é/"), STR("")),
                     STR("575669402ef06e516caed6eafcdeca2f87d59c290b16cf1810c3624cb4f5b546"));
}

static const str sub_and_x =
    STR_INIT("f74ca31a7b5ab05971b69649478c674cf060d754b47332b4120f6f54104cffa1");

static void a_folder_hashes_its_files_in_order(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    put_file(&arena, folder, "d/x.txt", STR("xx"));
    put_file(&arena, folder, "d/sub/a.txt", STR("hello\n"));
    put_file(&arena, folder, "d/.pulumi/state", STR("ours"));
    put_file(&arena, folder, "d/sub/.pulumi", STR("a file of that name"));
    assert_ok(fs_make_directory(fs_path_join(&arena, folder, STR("d/empty")), 0700));
    assert_int_equal(symlink("sub", fs_path_join(&arena, folder, STR("d/link-to-folder")).ptr), 0);
    assert_str_equal(hash_of(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR("d"), STR(""))),
                     sub_and_x);
    assert_str_equal(
        hash_of(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR("./d/"), STR(""))),
        sub_and_x);

    /* a link to a file is the file */
    assert_ok(fs_remove(fs_path_join(&arena, folder, STR("d/x.txt"))));
    put_file(&arena, folder, "elsewhere", STR("xx"));
    assert_int_equal(symlink("../elsewhere", fs_path_join(&arena, folder, STR("d/x.txt")).ptr), 0);
    assert_str_equal(hash_of(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR("d"), STR(""))),
                     sub_and_x);

    /* the folder itself may not be a link: it is then empty, as for the reference */
    assert_int_equal(symlink("d", fs_path_join(&arena, folder, STR("link")).ptr), 0);
    assert_str_equal(
        hash_of(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR("link"), STR(""))),
        ARCHIVE_EMPTY_HASH);
    assert_ok(fs_remove_tree(folder));
}

static void nested_archives_are_flattened(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    struct member inner = { STR("a.txt"), text_asset(&arena, STR("hello\n")) };
    put_file(&arena, folder, "x.txt", STR("xx"));
    put_file(&arena, folder, "tree/a.txt", STR("hello\n"));
    struct member outer[] = {
        { STR("sub"), archive_of(&arena, &inner, 1) },
        { STR("x.txt"), path_value(&arena, VALUE_ASSET, STR("x.txt"), STR("")) },
    };
    assert_str_equal(hash_of(&arena, folder, archive_of(&arena, outer, 2)), sub_and_x);
    outer[0].value = path_value(&arena, VALUE_ARCHIVE, STR("tree"), STR(""));
    assert_str_equal(hash_of(&arena, folder, archive_of(&arena, outer, 2)), sub_and_x);
    /* names are joined like paths, and the first of equal names wins */
    struct member twice[] = {
        { STR("./sub/../sub"), archive_of(&arena, &inner, 1) },
        { STR("sub"),
          archive_of(&arena, &(struct member){ STR("a.txt"), text_asset(&arena, STR("other")) },
                     1) },
        { STR("x.txt"), text_asset(&arena, STR("xx")) },
    };
    assert_str_equal(hash_of(&arena, folder, archive_of(&arena, twice, 3)), sub_and_x);
    assert_ok(fs_remove_tree(folder));
}

/* A tar member as any tool might write it. */
static str tar_member(struct arena *arena, str name, char type, str content)
{
    char *block = arena_alloc(arena, 512);
    unsigned sum = 0;
    memcpy(block, name.ptr, name.len);
    memcpy(block + 100, "0000644", 8);
    memcpy(block + 124, arena_printf(arena, "%011zo", content.len).ptr, 12);
    memcpy(block + 257, "ustar\00000", 8);
    block[156] = type;
    memset(block + 148, ' ', 8);
    for (size_t i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    memcpy(block + 148, arena_printf(arena, "%06o", sum).ptr, 7);
    char *padded = arena_alloc(arena, (content.len + 511) / 512 * 512);
    memcpy(padded, content.ptr, content.len);
    return arena_concat(arena, (str){ block, 512 },
                        (str){ padded, (content.len + 511) / 512 * 512 });
}

static str some_tar(struct arena *arena)
{
    char *end = arena_alloc(arena, 1024);
    return arena_concat(
        arena, tar_member(arena, STR("pax_global_header"), 'g', STR("20 comment=whatever\n")),
        tar_member(arena, STR("./"), '5', STR("")),
        tar_member(arena, STR("x"), 'x', STR("14 path=a.txt\n")),
        tar_member(arena, STR("cut"), '0', STR("hello\n")),
        tar_member(arena, STR("@LongLink"), 'L', STR("./b/../b.txt")),
        tar_member(arena, STR("cut"), '\0', STR("xx")), (str){ end, 1024 });
}

static str gzipped(struct arena *arena, str folder, str content)
{
    str path = fs_path_join(arena, folder, STR("temporary.gz"));
    gzFile file = gzopen(path.ptr, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, content.ptr, (unsigned)content.len), content.len);
    gzclose(file);
    str bytes;
    assert_ok(fs_read(arena, path, FS_ANY_SIZE, &bytes));
    return bytes;
}

static str in_bytes(struct arena *arena, uint64_t number, size_t size)
{
    char bytes[8];
    for (size_t i = 0; i < size; i++, number >>= 8)
        bytes[i] = (char)(number & 0xff);
    return arena_copy(arena, (str){ bytes, size });
}

static str deflated(struct arena *arena, str content)
{
    z_stream stream = { 0 };
    char *out = arena_alloc(arena, 1024);
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)content.ptr;
    stream.avail_in = (uInt)content.len;
    stream.next_out = (Bytef *)out;
    stream.avail_out = 1024;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return (str){ out, 1024 - stream.avail_out };
}

/* Files in the order of the directory: the first deflated, then a folder, then b.txt stored. */
static str zip_with(struct arena *arena, str first)
{
    const str names[] = { first, STR("folder/"), STR("b.txt") },
              texts[] = { STR("hello\n"), STR(""), STR("xx") };
    str locals = STR(""), directory = STR("");
    for (size_t i = 0; i < 3; i++) {
        str packed = i == 0 ? deflated(arena, texts[i]) : texts[i];
        uLong checksum = crc32(0, (const Bytef *)texts[i].ptr, (uInt)texts[i].len);
        str common = arena_concat(arena, in_bytes(arena, 0, 2), in_bytes(arena, i == 0 ? 8 : 0, 2),
                                  in_bytes(arena, 0, 4), in_bytes(arena, checksum, 4),
                                  in_bytes(arena, packed.len, 4), in_bytes(arena, texts[i].len, 4),
                                  in_bytes(arena, names[i].len, 2), in_bytes(arena, 0, 2));
        directory = arena_concat(arena, directory, STR("PK\1\2\0\0\0\0"), common,
                                 in_bytes(arena, 0, 10 - 2), in_bytes(arena, 0, 2),
                                 in_bytes(arena, locals.len, 4), names[i]);
        locals = arena_concat(arena, locals, STR("PK\3\4\0\0"), common, names[i], packed);
    }
    return arena_concat(arena, locals, directory, STR("PK\5\6\0\0\0\0"), in_bytes(arena, 3, 2),
                        in_bytes(arena, 3, 2), in_bytes(arena, directory.len, 4),
                        in_bytes(arena, locals.len, 4), in_bytes(arena, 0, 2));
}

static str some_zip(struct arena *arena)
{
    return zip_with(arena, STR("a.txt"));
}

static void an_archive_file_hashes_its_own_bytes(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    const char *const names[] = { "f.tar", "f.tgz", "f.tar.gz", "f.zip", "f.jar" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        put_file(&arena, folder, names[i], STR("hi"));
        assert_str_equal(
            hash_of(&arena, folder, path_value(&arena, VALUE_ARCHIVE, str_from(names[i]), STR(""))),
            STR("8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"));
    }
    assert_ok(fs_remove_tree(folder));
}

static void an_archive_file_inside_an_archive_is_unpacked(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    struct member flat[] = {
        { STR("in/a.txt"), text_asset(&arena, STR("hello\n")) },
        { STR("in/b.txt"), text_asset(&arena, STR("xx")) },
    };
    str wanted = hash_of(&arena, folder, archive_of(&arena, flat, 2));
    str tar = some_tar(&arena), zip = some_zip(&arena);
    put_file(&arena, folder, "f.tar", tar);
    put_file(&arena, folder, "f.tgz", gzipped(&arena, folder, tar));
    put_file(&arena, folder, "f.zip", zip);
    put_file(&arena, folder, "f.jar", arena_concat(&arena, zip, STR("")));
    const char *const names[] = { "f.tar", "f.tgz", "f.zip", "f.jar" };
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct member member = { STR("in"),
                                 path_value(&arena, VALUE_ARCHIVE, str_from(names[i]), STR("")) };
        assert_str_equal(hash_of(&arena, folder, archive_of(&arena, &member, 1)), wanted);
    }
    assert_ok(fs_remove_tree(folder));
}

struct reading_names {
    size_t count, in_use, most;
};

static struct error *begin_named(void *reading_, str name, uint64_t size)
{
    struct reading_names *reading = reading_;
    struct mallinfo2 memory = mallinfo2();
    size_t in_use = memory.uordblks + memory.hblkhd;

    assert_true(name.len > 4000 && size == 0);
    if (reading->count++ == 0)
        reading->in_use = in_use;
    if (in_use > reading->in_use && in_use - reading->in_use > reading->most)
        reading->most = in_use - reading->in_use;
    return NULL;
}

static struct error *add_nothing(void *reading, str bytes)
{
    (void)reading, (void)bytes;
    return NULL;
}

static struct error *end_named(void *reading)
{
    (void)reading;
    return NULL;
}

/* Only where the heap is glibc's own: others say that nothing is in use. */
static void names_of_members_are_not_kept(void **state)
{
    enum { COUNT = 500 };

    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    CLEANUP(strbuf_release) struct strbuf tar = { 0 };
    struct reading_names reading = { 0 };
    const struct archive_visitor visitor = { &reading, begin_named, add_nothing, end_named };
    str folder = make_folder(&arena), long_name = repeated(&arena, "n", 4000);

    for (int i = 0; i < COUNT; i++) {
        str name = arena_printf(&arena, "%d" STR_FMT, i, STR_ARG(long_name));
        strbuf_add(&tar, tar_member(&arena, STR("@LongLink"), 'L', name));
        strbuf_add(&tar, tar_member(&arena, STR("cut"), '0', STR("")));
    }
    put_file(&arena, folder, "names.tar", strbuf_str(&tar));
    assert_ok(archive_read(fs_path_join(&arena, folder, STR("names.tar")), ARCHIVE_TAR, &visitor));
    assert_int_equal(reading.count, COUNT);
    assert_true(reading.most < 1 << 18);
    assert_ok(fs_remove_tree(folder));
}

/* An archive with the file as its only member must fail. */
#define assert_broken(arena, folder, name, text)                                               \
    do {                                                                                       \
        struct member broken_ = { STR("in"),                                                   \
                                  path_value((arena), VALUE_ARCHIVE, STR(name), STR("")) };    \
        struct value hashed_;                                                                  \
        assert_fails(asset_hash((arena), &(struct asset_places){ .base_directory = (folder) }, \
                                archive_of((arena), &broken_, 1), &hashed_),                   \
                     ERROR_INVALID, text);                                                     \
    } while (0)

/* Each has a size that one may have; all of them are kept until their member comes. */
static str tar_of_extensions(struct arena *arena, size_t count)
{
    char comment[300 * 1000 - 16];
    str tar = STR("");

    memset(comment, 'c', sizeof(comment));
    str record =
        arena_concat(arena, STR("300000 comment="), (str){ comment, sizeof(comment) }, STR("\n"));
    for (size_t i = 0; i < count; i++)
        tar = arena_concat(arena, tar, tar_member(arena, STR("x"), 'x', record));
    return arena_concat(arena, tar, tar_member(arena, STR("a.txt"), '0', STR("a")));
}

static str tar_of_empty_extensions(struct arena *arena, size_t count)
{
    CLEANUP(strbuf_release) struct strbuf tar = { 0 };
    str one = tar_member(arena, STR("x"), 'x', STR(""));

    for (size_t i = 0; i < count; i++)
        strbuf_add(&tar, one);
    return arena_copy(arena, strbuf_str(&tar));
}

static void extensions_of_a_member_have_one_limit(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    str few = tar_of_extensions(&arena, 3);

    put_file(&arena, folder, "few.tar", arena_concat(&arena, few, few)); /* 3 for each of two */
    put_file(&arena, folder, "many.tar", tar_of_extensions(&arena, 4));
    put_file(&arena, folder, "empty.tar", tar_of_empty_extensions(&arena, 4000));
    struct member member = { STR("in"),
                             path_value(&arena, VALUE_ARCHIVE, STR("few.tar"), STR("")) };
    hash_of(&arena, folder, archive_of(&arena, &member, 1));
    assert_broken(&arena, folder, "many.tar", "an extended header is too long");
    assert_broken(&arena, folder, "empty.tar", "an extended header is too long");
    assert_ok(fs_remove_tree(folder));
}

static void broken_archive_files_are_refused_by_name(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    str tar = some_tar(&arena), zip = some_zip(&arena);
    put_file(&arena, folder, "cut.tar", str_slice(tar, 0, 2000));
    put_file(&arena, folder, "plain.tgz", tar);
    put_file(&arena, folder, "packed.tar", gzipped(&arena, folder, tar));
    put_file(&arena, folder, "link.tar", tar_member(&arena, STR("l"), '2', STR("")));
    put_file(&arena, folder, "noise.tar", repeated(&arena, "n", 1024));
    put_file(&arena, folder, "cut.zip", str_slice(zip, 0, zip.len - 30));
    put_file(&arena, folder, "empty.zip", STR(""));
    put_file(&arena, folder, "long.zip", zip_with(&arena, repeated(&arena, "ab", 2049)));
    assert_broken(&arena, folder, "cut.tar",
                  "cut.tar' is not a valid tar archive: it ends in the middle");
    assert_broken(&arena, folder, "plain.tgz", "it is not compressed with gzip");
    assert_broken(&arena, folder, "packed.tar", "it is compressed");
    assert_broken(&arena, folder, "link.tar", "is neither a file nor a directory");
    assert_broken(&arena, folder, "noise.tar", "a header is malformed");
    assert_broken(&arena, folder, "cut.zip", "cut.zip' is not a valid zip archive");
    assert_broken(&arena, folder, "empty.zip", "it has no directory");
    assert_broken(&arena, folder, "long.zip", "a name is too long");
    /* any single changed byte either changes nothing that matters or is refused; none crashes */
    for (size_t i = 0; i < zip.len; i++) {
        char *changed = (char *)(uintptr_t)arena_copy(&arena, zip).ptr;
        changed[i] = (char)(changed[i] ^ 0x41);
        put_file(&arena, folder, "changed.zip", (str){ changed, zip.len });
        struct member member = { STR("in"),
                                 path_value(&arena, VALUE_ARCHIVE, STR("changed.zip"), STR("")) };
        struct value hashed;
        error_ignore(asset_hash(&arena, &(struct asset_places){ .base_directory = folder },
                                archive_of(&arena, &member, 1), &hashed),
                     "either is fine");
    }
    assert_ok(fs_remove_tree(folder));
}

#define assert_unhashable(arena, folder, asset, kind, text)                                    \
    do {                                                                                       \
        struct value hashed_;                                                                  \
        assert_fails(asset_hash((arena), &(struct asset_places){ .base_directory = (folder) }, \
                                (asset), &hashed_),                                            \
                     kind, text);                                                              \
    } while (0)

static void what_cannot_be_read_fails_with_its_name(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    str folder = make_folder(&arena);
    put_file(&arena, folder, "file.txt", STR("x"));
    struct value missing = path_value(&arena, VALUE_ASSET, STR("missing.txt"), STR(""));
    struct member member = { STR("key"), missing };
    assert_unhashable(&arena, folder, missing, ERROR_OTHER, "missing.txt");
    assert_unhashable(&arena, folder, archive_of(&arena, &member, 1), ERROR_OTHER,
                      "failed to expand archive asset 'key': failed to open");
    assert_unhashable(&arena, folder, path_value(&arena, VALUE_ASSET, STR("."), STR("")),
                      ERROR_INVALID, "is a directory; try using an archive");
    assert_unhashable(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR("file.txt"), STR("")),
                      ERROR_INVALID,
                      "file.txt' is neither a recognized archive type nor a directory");
    assert_unhashable(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR("gone"), STR("")),
                      ERROR_OTHER, "gone: no such file or directory");
    assert_unhashable(&arena, folder,
                      path_value(&arena, VALUE_ASSET, STR(""), STR("https://host/x")), ERROR_OTHER,
                      "'https://host/x' was not fetched");
    assert_unhashable(&arena, folder, path_value(&arena, VALUE_ASSET, STR(""), STR("ftp://host/x")),
                      ERROR_INVALID, "Unrecognized or unsupported URI scheme: ftp");
    assert_unhashable(&arena, folder,
                      path_value(&arena, VALUE_ASSET, STR(""), STR("file://host/x")), ERROR_INVALID,
                      "file:// host 'host' not supported (only localhost)");
    assert_unhashable(&arena, folder, path_value(&arena, VALUE_ARCHIVE, STR(""), STR("file:///x")),
                      ERROR_INVALID, "file at URL 'file:///x' is not a recognized archive format");
    assert_int_equal(symlink("nowhere", fs_path_join(&arena, folder, STR("broken")).ptr), 0);
    assert_unhashable(&arena, folder, path_value(&arena, VALUE_ARCHIVE, folder, STR("")), ERROR_OS,
                      "broken");
    assert_ok(fs_remove_tree(folder));
}

static void all_hashes_inside_a_value_are_filled_in(void **state)
{
    (void)state;
    CLEANUP(arena_release) struct arena arena = { 0 };
    struct member inner = { STR("x.txt"), text_asset(&arena, STR("x")) };
    struct value list[] = { value_secret(&arena, text_asset(&arena, STR(""))),
                            archive_of(&arena, &inner, 1) };
    struct value value =
        value_object(&arena, &(struct member){ STR("k"), value_array(&arena, list, 2) }, 1);
    struct value hashed;
    assert_true(value_needs_hashes(value));
    assert_ok(value_compute_hashes(&arena, &(struct asset_places){ 0 }, value, &hashed));
    assert_false(value_needs_hashes(hashed));
    assert_true(value_needs_hashes(value));
    const struct value *items = value_find(hashed, STR("k"))->items;
    assert_str_equal(items[0].secret->element.asset->hash, ASSET_EMPTY_HASH);
    assert_str_equal(items[1].asset->hash,
                     STR("9fde4333f4c944f8a55906d19741b02ee24e1a66f7e5dd847618131e8771963a"));
    assert_int_equal(items[1].asset->members.members[0].value.asset->hash.len, 64);

    value = value_object(
        &arena, &(struct member){ STR("k"), path_value(&arena, VALUE_ASSET, STR("gone"), STR("")) },
        1);
    assert_fails(
        value_compute_hashes(&arena, &(struct asset_places){ .base_directory = STR("/nowhere") },
                             value, &hashed),
        ERROR_OTHER,
        "failed to compute asset hash for \"k\": failed to open asset file '/nowhere/gone'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_asset_hashes_its_bytes),
        cmocka_unit_test(a_hash_that_is_there_is_believed),
        cmocka_unit_test(archives_of_texts_hash_a_tar_stream),
        cmocka_unit_test(strange_names_hash_as_the_reference_writes_them),
        cmocka_unit_test(a_folder_hashes_its_files_in_order),
        cmocka_unit_test(nested_archives_are_flattened),
        cmocka_unit_test(an_archive_file_hashes_its_own_bytes),
        cmocka_unit_test(an_archive_file_inside_an_archive_is_unpacked),
        cmocka_unit_test(names_of_members_are_not_kept),
        cmocka_unit_test(extensions_of_a_member_have_one_limit),
        cmocka_unit_test(broken_archive_files_are_refused_by_name),
        cmocka_unit_test(what_cannot_be_read_fails_with_its_name),
        cmocka_unit_test(all_hashes_inside_a_value_are_filled_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
