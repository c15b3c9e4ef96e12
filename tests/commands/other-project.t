# A command in one project about a stack of another leaves the files of this one alone.
$ mkdir ../other; printf 'name: other\nruntime: yaml\n' >../other/Pulumi.yaml; printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init dev; pulumi config set size small; pulumi stack init prod; pulumi config set size large
Created stack 'dev'
Created stack 'prod'
$ pulumi -C ../other stack init dev; pulumi -C ../other stack init prod; pulumi -C ../other config set --secret word hush
Created stack 'dev'
Created stack 'prod'
$ cp Pulumi.dev.yaml dev; cp Pulumi.prod.yaml prod
$ pulumi config set -s organization/other/dev size huge
error: provided project name "other" doesn't match Pulumi.yaml
[1]
$ pulumi config rm -s organization/other/dev size
error: provided project name "other" doesn't match Pulumi.yaml
[1]
$ pulumi config set-all -s organization/other/dev --plaintext size=huge
error: provided project name "other" doesn't match Pulumi.yaml
[1]
$ pulumi config cp -s dev --dest organization/other/dev
error: provided project name "other" doesn't match Pulumi.yaml
[1]
$ echo new | pulumi stack change-secrets-provider -s organization/other/prod passphrase
error: provided project name "other" doesn't match Pulumi.yaml
[1]
$ pulumi -C ../other config get word -s prod
hush
$ pulumi stack rename -s organization/other/dev fresh
Renamed organization/other/dev to organization/other/fresh
$ ls; cmp dev Pulumi.dev.yaml && cmp prod Pulumi.prod.yaml
Pulumi.dev.yaml
Pulumi.prod.yaml
Pulumi.yaml
dev
prod
# A file that is named says itself what it is.
$ pulumi config set -s organization/other/prod --config-file ../other/Pulumi.prod.yaml size huge; cat Pulumi.prod.yaml
encryptionsalt: <salt>
config:
  proj:size: large
# A stack that leaves the project does not take the file of one that stays.
$ pulumi stack rename -s dev organization/other/prod2; ls
Renamed dev to organization/other/prod2
Pulumi.prod.yaml
Pulumi.prod2.yaml
Pulumi.yaml
dev
prod
$ pulumi stack rename -s organization/other/prod2 organization/proj/dev; mv Pulumi.prod2.yaml Pulumi.dev.yaml
Renamed organization/other/prod2 to dev
$ pulumi -C ../other stack rm -y -f prod; pulumi stack rename -s dev organization/other/prod; cmp dev Pulumi.dev.yaml && cmp prod Pulumi.prod.yaml
Stack 'prod' has been removed!
warning: the configuration stays in '<dir>/project/Pulumi.dev.yaml': '<dir>/project/Pulumi.prod.yaml' is that of a stack of this project
Renamed dev to organization/other/prod
