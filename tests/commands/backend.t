# Which backend is used: what points at the hosted service is never answered with a new, empty store in the home directory.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
# A token and nothing else: the stacks are elsewhere.
$ env -u PULUMI_BACKEND_URL PULUMI_ACCESS_TOKEN=pul-1234 pulumi stack select --create prod
error: no backend was chosen, and PULUMI_ACCESS_TOKEN is set: its stacks live in the hosted service, which is not supported yet. To keep stacks in files, run `pulumi login file://~` or set PULUMI_BACKEND_URL; nothing was changed
[1]
$ env -u PULUMI_BACKEND_URL PULUMI_ACCESS_TOKEN=pul-1234 pulumi up --yes --skip-preview --stack prod
error: no backend was chosen, and PULUMI_ACCESS_TOKEN is set: its stacks live in the hosted service, which is not supported yet. To keep stacks in files, run `pulumi login file://~` or set PULUMI_BACKEND_URL; nothing was changed
[1]
$ env -u PULUMI_BACKEND_URL PULUMI_API=https://api.example.com pulumi stack ls
error: no backend was chosen, and PULUMI_API is set: its stacks live in the hosted service, which is not supported yet. To keep stacks in files, run `pulumi login file://~` or set PULUMI_BACKEND_URL; nothing was changed
[1]
# An account of the service in the credentials file, without a current one.
$ mkdir -p ../home
> echo '{"current":"","accessTokens":{"https://api.example.com":"pul-1"},"accounts":{"https://api.example.com":{"accessToken":"pul-1"}}}' >../home/credentials.json
$ env -u PULUMI_BACKEND_URL pulumi stack ls
error: no backend was chosen, and the credentials file has an account of the hosted service: its stacks live in the hosted service, which is not supported yet. To keep stacks in files, run `pulumi login file://~` or set PULUMI_BACKEND_URL; nothing was changed
[1]
$ ls -A .. | grep -c '^[.]pulumi$'
0
[1]
# Nothing points elsewhere: the home directory, said while it is new.
$ rm ../home/credentials.json
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
