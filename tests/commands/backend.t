# Which backend is used: what points at the hosted service is never answered with a new, empty store in the home directory.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
# A service and no account of it: the stacks are elsewhere.
$ env -u PULUMI_BACKEND_URL PULUMI_API=https://api.example.com pulumi stack ls
error: PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions
[3]
$ ls -A .. | grep -c '^[.]pulumi$'
0
[1]
# Nothing points elsewhere: the home directory, said while it is new.
$ env -u PULUMI_BACKEND_URL pulumi stack init one
warning: no backend was chosen, so stacks are kept in the home directory (file://~); `pulumi login URL` or PULUMI_BACKEND_URL chooses another place
Created stack 'one'
$ env -u PULUMI_BACKEND_URL pulumi stack init two
Created stack 'two'
# A backend that was chosen is used, whatever else is set.
$ PULUMI_ACCESS_TOKEN=pul-1234 pulumi stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT
$ env -u PULUMI_BACKEND_URL pulumi login file://~ >/dev/null
$ env -u PULUMI_BACKEND_URL PULUMI_ACCESS_TOKEN=pul-1234 pulumi stack ls | tr -s ' '
NAME LAST UPDATE RESOURCE COUNT
one <ago> 0
two* <ago> 0
