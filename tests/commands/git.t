# What an update asks git for its history, and a git that has more to say than anybody reads.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev; mkdir .git ../bin 2>/dev/null; export PATH="$(realpath ../bin):$PATH"
Created stack 'dev'
$ printf '%s\n' '#!/bin/sh' 'case $1 in' 'log) echo 0123; echo me; echo me@here; echo me; echo me@here; echo the title;;' 'status) yes "warning: no permission" | head -c 500000 >&2; yes " M file" | head -c 500000;;' 'esac' >../bin/git; chmod +x ../bin/git
$ pulumi up -yf >log || cat log; pulumi stack history --json | grep -E 'git.(head"|dirty)|message'
    "message": "the title",
      "git.dirty": "true",
      "git.head": "0123",
