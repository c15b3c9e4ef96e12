# world.sh — a world of its own below $world, for scripts that source it with $here set: stacks, settings and plugins are all there, and are
# gone at the end. The command line is $cli, the program and provider that follow a script are $scripted.
cli=$(realpath "$CLI")
scripted=$(realpath "$SCRIPTED")
world=$(mktemp -d /tmp/culumi-test-XXXXXX)
servers=""
trap 'for pid in $servers; do kill "$pid" 2>/dev/null; done; umount "$world/state" 2>/dev/null; rm -rf "$world"' EXIT

PATH=$world/bin:/usr/bin:/bin
PULUMI_HOME=$world/home
PULUMI_BACKEND_URL=file://$world/state
PULUMI_CONFIG_PASSPHRASE=right
SCENARIO_DIR=$world/run
NO_COLOR=1
PULUMI_DISABLE_CI_DETECTION=true # a terminal counts as one, wherever these tests run
export PATH PULUMI_HOME PULUMI_BACKEND_URL PULUMI_CONFIG_PASSPHRASE SCENARIO_DIR NO_COLOR PULUMI_DISABLE_CI_DETECTION
unset PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION http_proxy https_proxy all_proxy HTTP_PROXY ALL_PROXY HTTPS_PROXY no_proxy NO_PROXY SSL_CERT_FILE SSL_CERT_DIR
up="up --yes --skip-preview --non-interactive"

. "$here/tap.sh"
