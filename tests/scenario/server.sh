# server.sh — starts servers of files for scripts that source it. They have a world (world.sh) with a folder
# $world/files.

# serve NAME [CERTIFICATE] — starts a server and leaves its port in $port.
serve() {
    python3 "$here/plugins_server.py" "$world/files" "$world/$1" ${2:+"$2"} >"$world/$1.log" 2>&1 &
    servers="$servers $!"
    for _ in $(seq 1200); do
        [ -s "$world/$1" ] && break
        sleep 0.1
    done
    port=$(cat "$world/$1") || { echo "Bail out! no server: $(cat "$world/$1.log")"; exit 1; }
}
