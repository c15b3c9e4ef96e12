# watch updates the stack when a file is saved, goes on after failures, and ends with a signal.
$ printf 'name: proj\nruntime: yaml\nresources:\n  pet: {type: random:RandomPet, properties: {length: 2}}\noutputs: {o: 1}\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
$ cat >lib.sh <<'END'
> await() { n=0; until grep -qs "$1" out; do n=$((n + 1)); test $n -lt 1200 || { echo "no $1"; cat out; exit 1; }; sleep 0.05; done; }
> settled() { until test -z "$(find ../state/.pulumi/locks -type f)"; do sleep 0.05; done; }
> shown() { sed 's/^   [0-9:.]*\[ /[ /' out; }
> END
$ . ./lib.sh; pulumi watch >out 2>&1 & pid=$!; . ./lib.sh; await 'Watch mode enabled'; touch .hidden new~; mkdir -p node_modules/x .git; echo x >.git/index; echo x >node_modules/x/y; sed -i 's/length: 2/length: 3/' Pulumi.yaml; await 'Update complete; changes made: 2 create'; sed -i 's/length: 3/length: x/' Pulumi.yaml; await 'Update failed'; sed -i 's/length: x/length: 3/; s/o: 1/o: 2/' Pulumi.yaml; await 'complete; changes made: None'; settled; kill -INT $pid; wait $pid; echo ended with $?; shown | grep -v error:
ended with 130
👀 Watch mode enabled. Make an edit to organization/proj/dev and save to deploy.
🚀 Save detected. Deploying changes...
[ proj-dev             ] pulumi:pulumi:Stack: create...
[ pet                  ] random:index:RandomPet: create...
[ pet                  ] random:index:RandomPet: create... ✅
[ proj-dev             ] pulumi:pulumi:Stack: create... ✅
[                      ] --- Outputs ---
[                      ] o: 1
[                      ] 🎉 Update complete; changes made: 2 create.
🚀 Save detected. Deploying changes...
[                      ] Error: random:index/randomPet:RandomPet is not assignable from {length: string}
[                      ] on Pulumi.yaml line 4:
[                      ] 4:   pet: {type: random:RandomPet, properties: {length: x}}
[                      ] Cannot assign '{length: string}' to 'random:index/randomPet:RandomPet':
[                      ] length: Cannot assign type 'string' to type 'integer'
[                      ] --- Outputs ---
[                      ] o: 1
[                      ] ❌ Update failed; changes made: None.
🚀 Save detected. Deploying changes...
[                      ] --- Outputs ---
[                      ] ~ o: 1 => 2
[                      ] 🎉 Update complete; changes made: None.
$ find ../state/.pulumi/locks -type f | wc -l; pulumi stack output o
0
2
# Only what --path names, and new folders below it.
$ mkdir src; rm out; . ./lib.sh; pulumi watch --path src >out 2>&1 & pid=$!; . ./lib.sh; await 'Watch mode enabled'; sed -i 's/o: 2/o: 3/' Pulumi.yaml; mkdir -p src/a; await 'complete; changes made: None'; : >out; echo x >src/a/b; await 'Update complete'; settled; kill -TERM $pid; wait $pid; echo ended with $?
Terminated
ended with 143
$ pulumi watch --path nope 2>&1 | sed 's/.*project/<project>/'
<project>/nope' is not there
$ pulumi watch -s nope
error: no stack named 'nope' found
[6]
