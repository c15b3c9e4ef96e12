/* help_topics.c — the texts of `help TOPIC`. */
#include "cli/help_topics.h"

static const char backends[] =
    "Where the stacks of a project are kept\n"
    "\n"
    "The first of these that is set decides:\n"
    "  1. the environment variable PULUMI_BACKEND_URL\n"
    "  2. `backend: {url: ...}` of the project file\n"
    "  3. the last `login`\n"
    "  4. the home directory, file://~\n"
    "\n"
    "URLs:\n"
    "  file://~                     files in the home directory\n"
    "  file:///srv/stacks           files in another folder; it may be a shared one\n"
    "\n"
    "`login --help` names the other kinds. `stack migrate` takes a stack from one\n"
    "backend to another.\n";

static const char secrets[] =
    "How secrets are kept\n"
    "\n"
    "Secret configuration and secret outputs are encrypted before they are written.\n"
    "The key is made from a passphrase, which is never stored:\n"
    "  PULUMI_CONFIG_PASSPHRASE        the passphrase\n"
    "  PULUMI_CONFIG_PASSPHRASE_FILE   a file whose content is the passphrase\n"
    "At a terminal it is asked for if neither is set.\n"
    "\n"
    "`config set --secret KEY` stores a secret, `config --show-secrets` and\n"
    "`stack output --show-secrets` show them, `stack change-secrets-provider`\n"
    "changes how a stack encrypts.\n";

static const char environment[] =
    "Environment variables\n"
    "\n"
    "Every option can be set by a variable: --skip-preview by\n"
    "PULUMI_OPTION_SKIP_PREVIEW. The command line wins.\n"
    "\n"
    "  PULUMI_BACKEND_URL              where stacks are kept: `help backends`\n"
    "  PULUMI_STACK                    the stack to work on\n"
    "  PULUMI_HOME                     plugins, credentials and settings (~/.pulumi)\n"
    "  PULUMI_CONFIG_PASSPHRASE        `help secrets`\n"
    "  PULUMI_SKIP_CONFIRMATIONS       do not ask, as --yes\n"
    "  NO_COLOR                        no colours\n"
    "\n"
    "`about env` lists all that are known, with their values.\n";

static const char paths[] =
    "Paths into configuration values\n"
    "\n"
    "With --path a key of `config get`, `config set`, `config rm` and of -c is a\n"
    "path into a value:\n"
    "  outer.inner       a member of an object\n"
    "  names[0]          an item of a list; one past the end adds an item\n"
    "  a[\"b.c\"].d        a member whose name has dots\n"
    "\n"
    "The same form is used by resource options such as ignoreChanges, where [*]\n"
    "means every item.\n";

static const char imports[] =
    "Files for `import --file`\n"
    "\n"
    "  {\n"
    "    \"nameTable\": {\"vpc\": \"urn:pulumi:dev::proj::aws:ec2/vpc:Vpc::main\"},\n"
    "    \"resources\": [\n"
    "      {\"type\": \"aws:s3/bucket:Bucket\", \"name\": \"logs\", \"id\": \"my-logs\"},\n"
    "      {\"type\": \"aws:ec2/subnet:Subnet\", \"name\": \"a\", \"id\": \"subnet-1\", "
    "\"parent\": \"vpc\"},\n"
    "      {\"type\": \"my:index:Component\", \"name\": \"c\", \"component\": true}\n"
    "    ]\n"
    "  }\n"
    "\n"
    "\"name\" is the name in code, \"logicalName\" that of the resource if it differs.\n"
    "\"parent\" and \"provider\" are names of the table or of an earlier resource.\n"
    "\"version\", \"pluginDownloadUrl\" and \"properties\" are optional.\n"
    "`preview --import-file FILE` writes such a file for all that would be created.\n";

static const char exit_codes[] =
    "Exit codes\n"
    "\n"
    "  0    success\n"
    "  1    an error; an update that failed; an answer of no\n"
    "  2    --yes or --skip-preview is missing where nobody can be asked\n"
    "  3    the hosted service wants a login\n"
    "  6    there is no stack of that name\n"
    "  7    --expect-no-changes, and something would change\n"
    "  8    ended by a second ^C\n";

const struct help_topic help_topics[] = {
    { "backends", "Where stacks are kept", backends },
    { "secrets", "How secrets are kept", secrets },
    { "environment", "Environment variables", environment },
    { "paths", "Paths into configuration values", paths },
    { "imports", "Files for `import --file`", imports },
    { "exit-codes", "What exit codes mean", exit_codes },
};
const size_t help_topic_count = sizeof(help_topics) / sizeof(*help_topics);
