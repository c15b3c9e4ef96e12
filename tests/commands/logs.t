# logs: the files that -v leaves can be listed, read and removed.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev; mkdir ../tmp
Created stack 'dev'
$ pulumi logs
Collecting logs for stack dev since <time>.

warning: logs of cloud functions are not collected here: the tools of the cloud show them
$ pulumi logs --json
[]
warning: logs of cloud functions are not collected here: the tools of the cloud show them
$ pulumi logs --since yesterday
error: --since 'yesterday' is neither a time (<time>) nor how long ago (30m, 1h30m, 7d)
[1]
$ TMPDIR=$HOME/tmp pulumi logs ls
STACK  CREATED  COMMAND  SIZE  FILE
$ TMPDIR=$HOME/tmp pulumi -v 3 preview >/dev/null 2>&1; sleep 0.05; TMPDIR=$HOME/tmp pulumi -v 3 stack ls >/dev/null 2>&1; TMPDIR=$HOME/tmp pulumi logs ls --json | grep -E '"(stack|command)"'
    "command": "stack list",
    "stack": "organization/proj/dev",
    "command": "preview",
$ TMPDIR=$HOME/tmp pulumi logs ls --stack dev | wc -l; TMPDIR=$HOME/tmp pulumi logs ls --stack nope | wc -l; TMPDIR=$HOME/tmp pulumi logs ls --since 1h | wc -l
2
1
3
$ TMPDIR=$HOME/tmp pulumi logs decrypt --latest | sed -n 's/.* command: \([a-z]*\),.*/\1/p'
$ TMPDIR=$HOME/tmp pulumi logs decrypt nope
error: there is no log file 'nope'
[1]
$ TMPDIR=$HOME/tmp pulumi logs decrypt
error: cannot prompt for a log file in non-interactive mode; pass FILE or --latest
[1]
$ TMPDIR=$HOME/tmp pulumi logs rm
error: cannot prompt for a log file in non-interactive mode; pass --all, --before, or --stack
[1]
$ TMPDIR=$HOME/tmp pulumi logs rm --all
error: non-interactive mode requires --yes flag
[1]
$ TMPDIR=$HOME/tmp pulumi logs rm --before 1h --yes
No log files found
$ TMPDIR=$HOME/tmp pulumi logs rm --before tomorrow --yes
error: --before 'tomorrow' is neither a time (<time>) nor how long ago (30m, 1h30m, 7d)
[1]
$ TMPDIR=$HOME/tmp pulumi logs rm --stack dev --yes; TMPDIR=$HOME/tmp pulumi logs rm --all -y; ls ../tmp
Removed 1 log file(s)
Removed 1 log file(s)
