/* go_utilities.c — what all packages of an SDK share: defaults from the environment, versions, and
 * options that every call gets. */
#include "go/sdk/go_parts.h"

static const char environment_text[] =
    "type envParser func(v string) interface{}\n\n"
    "// ParseEnvBool gives nil for what is no boolean.\n"
    "func ParseEnvBool(v string) interface{} {\n"
    "\tif value, err := strconv.ParseBool(v); err == nil {\n"
    "\t\treturn value\n"
    "\t}\n"
    "\treturn nil\n"
    "}\n\n"
    "// ParseEnvInt gives nil for what is no integer.\n"
    "func ParseEnvInt(v string) interface{} {\n"
    "\tif value, err := strconv.ParseInt(v, 0, 0); err == nil {\n"
    "\t\treturn int(value)\n"
    "\t}\n"
    "\treturn nil\n"
    "}\n\n"
    "// ParseEnvFloat gives nil for what is no number.\n"
    "func ParseEnvFloat(v string) interface{} {\n"
    "\tif value, err := strconv.ParseFloat(v, 64); err == nil {\n"
    "\t\treturn value\n"
    "\t}\n"
    "\treturn nil\n"
    "}\n\n"
    "// ParseEnvStringArray splits at semicolons.\n"
    "func ParseEnvStringArray(v string) interface{} {\n"
    "\treturn pulumi.ToStringArray(strings.Split(v, \";\"))\n"
    "}\n\n"
    "// GetEnvOrDefault gives the first of the variables that is set, read by the parser if there "
    "is\n"
    "// one; def if none is.\n"
    "func GetEnvOrDefault(def interface{}, parser envParser, vars ...string) interface{} {\n"
    "\tfor _, name := range vars {\n"
    "\t\tvalue, isSet := os.LookupEnv(name)\n"
    "\t\tif !isSet {\n"
    "\t\t\tcontinue\n"
    "\t\t}\n"
    "\t\tif parser == nil {\n"
    "\t\t\treturn value\n"
    "\t\t}\n"
    "\t\treturn parser(value)\n"
    "\t}\n"
    "\treturn def\n"
    "}\n\n"
    "// IsZero is true for nil and for the value that a variable has when nobody set it.\n"
    "func IsZero(v interface{}) bool {\n"
    "\treturn v == nil || reflect.ValueOf(v).IsZero()\n"
    "}\n\n";

static const char call_text[] = "// CallPlain calls a method and waits for its result, which goes "
                                "to where resultPtr points; only\n"
                                "// the field named by property, if that is not empty.\n"
                                "func CallPlain(\n"
                                "\tctx *pulumi.Context,\n"
                                "\ttok string,\n"
                                "\targs pulumi.Input,\n"
                                "\toutput pulumi.Output,\n"
                                "\tself pulumi.Resource,\n"
                                "\tproperty string,\n"
                                "\tresultPtr reflect.Value,\n"
                                "\terrorPtr *error,\n"
                                "\topts ...pulumi.InvokeOption,\n"
                                ") {\n"
                                "\tvalue, err := awaitCall(ctx, tok, args, output, self, opts...)\n"
                                "\tif err != nil {\n"
                                "\t\t*errorPtr = err\n"
                                "\t\treturn\n"
                                "\t}\n"
                                "\tresult := reflect.ValueOf(value)\n"
                                "\tif property != \"\" {\n"
                                "\t\tresult = result.FieldByName(property)\n"
                                "\t}\n"
                                "\tresultPtr.Elem().Set(result)\n"
                                "}\n\n"
                                "func awaitCall(\n"
                                "\tctx *pulumi.Context,\n"
                                "\ttok string,\n"
                                "\targs pulumi.Input,\n"
                                "\toutput pulumi.Output,\n"
                                "\tself pulumi.Resource,\n"
                                "\topts ...pulumi.InvokeOption,\n"
                                ") (any, error) {\n"
                                "\tout, err := ctx.Call(tok, args, output, self, opts...)\n"
                                "\tif err != nil {\n"
                                "\t\treturn nil, err\n"
                                "\t}\n"
                                "\tresult, err := internals.UnsafeAwaitOutput(ctx.Context(), out)\n"
                                "\tswitch {\n"
                                "\tcase err != nil:\n"
                                "\t\treturn nil, err\n"
                                "\tcase !result.Known:\n"
                                "\t\treturn nil, fmt.Errorf(\"the result of %s is not known yet, "
                                "which its provider must not \"+\n"
                                "\t\t\t\"answer\", tok)\n"
                                "\tcase result.Secret:\n"
                                "\t\treturn nil, fmt.Errorf(\"the result of %s is a secret, which "
                                "its provider must not answer\", "
                                "tok)\n"
                                "\t}\n"
                                "\treturn result.Value, nil\n"
                                "}\n\n";

static const char path_version_text[] =
    "// PkgVersion gives the version of this SDK; without one its major version, as the path of "
    "the\n"
    "// package has it.\n"
    "func PkgVersion() (semver.Version, error) {\n"
    "\tif !SdkVersion.Equals(semver.Version{}) {\n"
    "\t\treturn SdkVersion, nil\n"
    "\t}\n"
    "\ttype here struct{}\n"
    "\tfor _, part := range strings.Split(reflect.TypeOf(here{}).PkgPath(), \"/\") {\n"
    "\t\tmajor, err := strconv.ParseUint(strings.TrimPrefix(part, \"v\"), 10, 64)\n"
    "\t\tif err == nil && strings.HasPrefix(part, \"v\") {\n"
    "\t\t\treturn semver.Version{Major: major}, nil\n"
    "\t\t}\n"
    "\t}\n"
    "\treturn semver.Version{Major: 1}, nil\n"
    "}\n\n";

static const char known_version_text[] = "// PkgVersion gives the version of this SDK.\n"
                                         "func PkgVersion() (semver.Version, error) {\n"
                                         "\tif !SdkVersion.Equals(semver.Version{}) {\n"
                                         "\t\treturn SdkVersion, nil\n"
                                         "\t}\n"
                                         "\treturn semver.Parse($1)\n"
                                         "}\n\n";

/* Unless the schema says otherwise, the version comes from whoever publishes the SDK. */
static str embedded_version(const struct go_sdk *sdk)
{
    const struct schema *schema = sdk->schema;
    bool is_kept = sdk->is_parameterized || sdk->settings.keeps_version
                   || (go_is_module(schema) && sdk->settings.is_silent);

    return is_kept ? schema->version : STR("");
}

static void put_default_options(struct go_file *file, str kind)
{
    str url = file->sdk->schema->download_url, version = embedded_version(file->sdk);

    go_put(
        file,
        "// Pkg$1DefaultOpts puts the options of this package before those of the program, which\n"
        "// win.\n"
        "func Pkg$1DefaultOpts(opts []pulumi.$1Option) []pulumi.$1Option {\n"
        "\tdefaults := []pulumi.$1Option{}\n",
        kind);
    if (url.len)
        go_put(file, "\tdefaults = append(defaults, pulumi.PluginDownloadURL($1))\n",
               go_quoted(file->arena, url));
    if (version.len)
        go_put(file, "\tdefaults = append(defaults, pulumi.Version($1))\n",
               go_quoted(file->arena, version));
    else
        go_put(file,
               "\tif !SdkVersion.Equals(semver.Version{}) {\n"
               "\t\tdefaults = append(defaults, pulumi.Version(SdkVersion.String()))\n"
               "\t}\n",
               STR(""));
    go_put(file, "\treturn append(defaults, opts...)\n}\n\n", STR(""));
}

static void put_package_ref(struct go_file *file)
{
    const struct schema *schema = file->sdk->schema;
    bool is_extension = schema->extension.is_given;
    const struct schema_base *base = is_extension ? &schema->extension : &schema->parameterization;
    struct arena *arena = file->arena;
    str *alias = ARENA_NEW(arena, str);

    *alias = STR("pulumirpc");
    map_put(&file->imports, STR("github.com/pulumi/pulumi/sdk/v3/proto/go"), alias);
    go_import(file, "encoding/base64");
    go_put(file,
           "// PkgGetPackageRef makes the package known to the engine, once for each context, and\n"
           "// gives what stands for it there.\n"
           "func PkgGetPackageRef(ctx *pulumi.Context) (string, error) {\n"
           "\treturn ctx.GetOrRegisterPackageRef($1, func() (*pulumirpc.RegisterPackageRequest, "
           "error) {\n"
           "\t\tparameter, err := base64.StdEncoding.DecodeString($2)\n"
           "\t\tif err != nil {\n"
           "\t\t\treturn nil, err\n"
           "\t\t}\n",
           go_quoted(arena, arena_concat(arena, schema->name, STR(":"), schema->version)),
           go_quoted(arena, base->value));
    go_put(file,
           "\t\trequest := &pulumirpc.RegisterPackageRequest{}\n"
           "\t\trequest.Name = $1\n"
           "\t\trequest.Version = $2\n"
           "\t\trequest.DownloadUrl = $3\n"
           "\t\trequest.$4 = &pulumirpc.Parameterization{}\n"
           "\t\trequest.$4.Name = $5\n"
           "\t\trequest.$4.Version = $6\n"
           "\t\trequest.$4.Value = parameter\n"
           "\t\treturn request, nil\n"
           "\t})\n"
           "}\n\n",
           go_quoted(arena, base->name), go_quoted(arena, base->version),
           go_quoted(arena, schema->download_url),
           is_extension ? STR("Extension") : STR("Parameterization"),
           go_quoted(arena, schema->name), go_quoted(arena, schema->version));
}

void go_put_utilities(struct go_file *file)
{
    static const char *const imports[] = { "fmt",
                                           "os",
                                           "reflect",
                                           "strconv",
                                           "strings",
                                           "github.com/blang/semver",
                                           "github.com/pulumi/pulumi/sdk/v3/go/pulumi",
                                           "github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals" };
    str version = embedded_version(file->sdk);

    for (size_t i = 0; i < sizeof(imports) / sizeof(imports[0]); i++)
        go_import(file, imports[i]);
    go_put(file, environment_text, STR(""));
    go_put(file, version.len ? known_version_text : path_version_text,
           go_quoted(file->arena, version));
    go_put(file, call_text, STR(""));
    if (file->sdk->is_parameterized)
        put_package_ref(file);
    put_default_options(file, STR("Resource"));
    put_default_options(file, STR("Invoke"));
}

void go_put_version(struct go_file *file)
{
    go_import(file, "github.com/blang/semver");
    go_put(file,
           "// SdkVersion is set by who builds and publishes the SDK.\n"
           "var SdkVersion semver.Version = semver.Version{}\n",
           STR(""));
}
