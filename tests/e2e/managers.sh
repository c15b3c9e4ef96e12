# managers.sh — for the managers.sh of `package` in each language, which reads it in: what an SDK has to go through with a package manager.
# The language says what it differs in: where its packages are installed ($installed), and how its program comes to use what the next
# version has (use_shade). Speaks TAP.
set -u
project=$PWD
schemas=$project/.e2e/schemas.json
cp "$schemas" "$project/.e2e/old.json"
for version in 1.1.0 1.2.0; do
    mkdir -p "$PULUMI_HOME/plugins/resource-thing-v$version"
    ln -sf "$(command -v pulumi-resource-thing)" "$PULUMI_HOME/plugins/resource-thing-v$version/pulumi-resource-thing"
done

# left_out NAME LOG — says why a package manager is not tried.
left_out() { echo "# $1 is left out: it cannot be had here: $(tail -n 1 "$2")"; }

# claim WHAT COMMAND... — says whether it ends well, and if not what it said.
claim() {
    what="$name: $1"
    shift
    if "$@" >"$folder/log" 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what"
        sed 's/^/# /' "$folder/log"
    fi
}

has_color() { pulumi up --yes --skip-preview && [ "$(pulumi stack output color)" = red ]; }
make_again() { rm -rf sdks "$installed" && pulumi install && pulumi preview --expect-no-changes; }
has_shade() { use_shade && pulumi up --yes --skip-preview && [ "$(pulumi stack output shade)" = dark ]; }

# go_through STACK — with the project that this is run in; $name is what claims say, $folder is where the log is.
go_through() {
    cp "$project/.e2e/old.json" "$schemas"
    pulumi stack init "$1" >"$folder/log" 2>&1
    claim "a package is added" pulumi package add thing
    claim "a program runs on its SDK" has_color
    claim "what is lost is made again" make_again
    sed -i 's/"version": "1\.1\.0"/"version": "1.2.0"/; s/"color": {"type": "string"}, /&"shade": {"type": "string"}, /g' "$schemas"
    claim "the next version is added" pulumi package add thing
    claim "and can be used" has_shade
    claim "nothing is left" pulumi destroy --yes --skip-preview --remove
    cp "$project/.e2e/old.json" "$schemas"
}
