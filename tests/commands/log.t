# With -v a run leaves a log, and says where; it holds no secret.
$ printf 'name: proj\nruntime: yaml\noutputs:\n  o:\n    fn::secret: hush-hush\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ TMPDIR=$HOME pulumi -v 9 up --skip-preview 2>err >out; grep -c '^The log file for this run is at '"$HOME"'/pulumi\.' err
1
$ log=$(sed 's/^The log file for this run is at //' err); stat -c %a "$log"; grep -c hush-hush "$log"; for what in 'command: up' 'begin: create urn=.*proj-dev' 'end: create urn=.*proj-dev' 'called: /pulumirpc.ResourceMonitor/RegisterResource' 'command: done'; do grep -q "$what" "$log" && echo "$what"; done
600
0
command: up
begin: create urn=.*proj-dev
end: create urn=.*proj-dev
called: /pulumirpc.ResourceMonitor/RegisterResource
command: done
