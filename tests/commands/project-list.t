# The projects that have stacks in the backend.
$ pulumi project ls
No projects found
$ pulumi project ls --output json
[]
$ pulumi project >out; echo $?; head -1 out
1
Make and list projects
$ printf 'name: beta\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev; pulumi stack init prod; printf 'name: alpha\nruntime: yaml\n' >Pulumi.yaml; pulumi stack init dev
Created stack 'dev'
Created stack 'prod'
Created stack 'dev'
$ pulumi project list
PROJECTS:
  alpha (stacks: 1)
  beta (stacks: 2)
$ pulumi project ls --json
[
    {
        "name": "alpha",
        "stackCount": 1
    },
    {
        "name": "beta",
        "stackCount": 2
    }
]
$ pulumi project ls --organization acme 2>&1 | sed "s/$(hostname)/<host>/"
error: organizations are not supported by the current backend (<host>)
$ rm Pulumi.yaml; pulumi project ls
PROJECTS:
  alpha (stacks: 1)
  beta (stacks: 2)
