# The key of a stack's secrets outlives whatever happens to the file that names it.
$ cat >Pulumi.yaml <<END
> name: proj
> runtime: yaml
> outputs:
>   hidden:
>     fn::secret: hush
> END
$ pulumi stack init dev
Created stack 'dev'
$ pulumi config set --secret s hush
# A stack that is made over a file with a salt keeps it, whichever way it is made.
$ cp Pulumi.dev.yaml Pulumi.two.yaml; pulumi stack init two --secrets-provider passphrase; cmp Pulumi.dev.yaml Pulumi.two.yaml
Created stack 'two'
$ pulumi config get s
hush
$ cp Pulumi.dev.yaml Pulumi.three.yaml; pulumi stack select --create three; cmp Pulumi.dev.yaml Pulumi.three.yaml
Created stack 'three'
$ pulumi config get s
hush
$ cp Pulumi.dev.yaml Pulumi.four.yaml
$ PULUMI_CONFIG_PASSPHRASE=wrong pulumi stack init four --secrets-provider passphrase
error: could not create secrets manager for new stack: incorrect passphrase
[1]
$ PULUMI_CONFIG_PASSPHRASE=wrong pulumi stack init four
error: could not create secrets manager for new stack: incorrect passphrase
[1]
$ PULUMI_CONFIG_PASSPHRASE=wrong pulumi stack select --create four
error: could not create secrets manager for new stack: incorrect passphrase
[1]
$ env -u PULUMI_CONFIG_PASSPHRASE pulumi stack init four
error: could not create secrets manager for new stack: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
[1]
$ cmp Pulumi.dev.yaml Pulumi.four.yaml
$ pulumi stack ls --json | grep '"name"'
    "name": "dev",
    "name": "three",
    "name": "two",
# A file that has lost its salt gets it back from the state.
$ pulumi stack select dev
$ pulumi up --skip-preview >up.log || cat up.log
$ cp Pulumi.dev.yaml kept.yaml; grep encryptionsalt kept.yaml >salt
$ echo "secretsprovider: passphrase" >Pulumi.dev.yaml
$ pulumi preview >preview.log || cat preview.log
$ cmp Pulumi.dev.yaml salt
$ rm Pulumi.dev.yaml
$ pulumi config set --secret t hush2
$ head -1 Pulumi.dev.yaml | cmp - salt
$ echo "secretsprovider: passphrase" >Pulumi.dev.yaml
$ pulumi destroy --skip-preview >destroy.log || cat destroy.log
$ cmp Pulumi.dev.yaml salt
$ pulumi stack export >state.json; sed 's/encryptionsalt: //' salt | grep -cFf - state.json
1
# A state without secrets that the passphrase does not open has nothing to lose.
$ rm Pulumi.dev.yaml; PULUMI_CONFIG_PASSPHRASE=new pulumi config set --secret -s dev u x; head -1 Pulumi.dev.yaml | cmp -s - salt || echo another salt
another salt
# An operation wants the right passphrase, whether there are secrets or not.
$ cat >Pulumi.yaml <<END
> name: proj
> runtime: yaml
> END
$ pulumi stack init bare
Created stack 'bare'
$ for operation in preview "up -f" "refresh -f" "destroy -f"; do PULUMI_CONFIG_PASSPHRASE=wrong pulumi $operation >shown; echo $?; env -u PULUMI_CONFIG_PASSPHRASE pulumi $operation; echo $?; done
error: getting stack configuration: get stack secrets manager: incorrect passphrase
1
error: getting stack configuration: get stack secrets manager: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
1
error: getting stack configuration: get stack secrets manager: incorrect passphrase
1
error: getting stack configuration: get stack secrets manager: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
1
error: getting stack configuration: get stack secrets manager: incorrect passphrase
1
error: getting stack configuration: get stack secrets manager: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
1
error: getting stack configuration: get stack secrets manager: incorrect passphrase
1
error: getting stack configuration: get stack secrets manager: passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables
1
# A stack can be renamed by who does not know the key: what is sealed stays so.
$ printf 'name: proj\nruntime: yaml\noutputs:\n  hidden:\n    fn::secret: hush\n' >Pulumi.yaml; pulumi stack init here; pulumi up -f -y >/dev/null
Created stack 'here'
$ env -u PULUMI_CONFIG_PASSPHRASE pulumi stack rename nu; PULUMI_CONFIG_PASSPHRASE=wrong pulumi stack rename there; pulumi stack output hidden --show-secrets
Renamed here to nu
Renamed nu to there
hush
# A state whose manager nobody knows is refused, also where nothing is sealed by it: no operation could use it.
$ pulumi stack init strange; for manager in '"type":"nope","state":{}' '"type":"passphrase","state":{"salt":"bad"}' '"type":"passphrase","state":{}'; do echo "{\"version\":3,\"deployment\":{\"secrets_providers\":{$manager}}}" | pulumi stack import -s strange; echo $?; done; pulumi stack export -s strange | grep -c '"type": "passphrase"'
Created stack 'strange'
error: could not deserialize deployment: no known secrets provider for type "nope"
1
error: could not deserialize deployment: constructing secrets manager: malformed state value
1
error: could not deserialize deployment: constructing secrets manager: malformed state value
1
1
