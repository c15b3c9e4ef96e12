# Import: nothing pretends that there is code.
$ printf 'name: proj\nruntime: yaml\n' >Pulumi.yaml
$ pulumi stack init dev
Created stack 'dev'
$ pulumi import random:index/randomString:RandomString imported abcdef --yes --skip-preview --out code.txt 2>&1 >/dev/null
warning: code for the imported resources is not generated yet: declare them in the program by hand (`pulumi stack export` shows their inputs), or the next update will delete them
$ cut -c 3- code.txt
Code for imported resources is not generated yet.
$ pulumi import random:index/randomString:RandomString second abcdef --yes --skip-preview --generate-code=false 2>&1 >/dev/null
$ pulumi import random:index/randomString:RandomString third abcdef --preview-only --out none.txt 2>&1 >/dev/null
$ ls none.txt
ls: cannot access 'none.txt': No such file or directory
[2]
