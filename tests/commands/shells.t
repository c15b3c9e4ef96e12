# The shells themselves, where they are installed.
$ printf 'name: proj\nruntime: yaml\nresources:\n  pet: {type: random:RandomPet}\n' >Pulumi.yaml; pulumi stack init dev; pulumi stack init dove --no-select; pulumi up --skip-preview >/dev/null
Created stack 'dev'
Created stack 'dove'
$ cat >ask <<'END'
> source <(pulumi gen-completion bash)
> ask() { COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($2) COMP_CWORD=${3:-$((${#COMP_WORDS[@]} - 1))}; COMPREPLY=(); __pulumi_complete; echo "${COMPREPLY[*]}"; }
> ask 'pulumi sta' 'pulumi sta'
> ask 'pulumi stack select ' 'pulumi stack select' 3
> ask 'pulumi stack select do' 'pulumi stack select do'
> ask 'pulumi up --stack=d' 'pulumi up --stack = d'
> ask 'pulumi state delete urn:pulumi:dev::proj::random:index/r' 'pulumi state delete urn : pulumi : dev :: proj :: random : index/r'
> ask "pulumi state delete 'urn:pulumi:dev::proj::random:index/r" "pulumi state delete 'urn:pulumi:dev::proj::random:index/r"
> END
$ bash ask
stack state
dev dove
dove
dev dove
index/randomPet:RandomPet::pet
urn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet
$ if command -v zsh >/dev/null; then zsh -fc 'autoload -U compinit; compinit -D; source <(pulumi gen-completion zsh); _describe() { print -rl -- $found; }; _files() { print files; }; words=(pulumi stack select d); CURRENT=4; _pulumi; words=(pulumi stack graph ""); CURRENT=4; _pulumi; words=(pulumi state delete urn:pulumi:dev::proj::random); CURRENT=4; _pulumi; print $_comps[pulumi]'; else printf '%s\n' 'dev:resources: 3' 'dove:resources: 0' '' files 'urn\:pulumi\:dev\:\:proj\:\:random\:index/randomPet\:RandomPet\:\:pet' _pulumi; fi
dev:resources: 3
dove:resources: 0

files
urn\:pulumi\:dev\:\:proj\:\:random\:index/randomPet\:RandomPet\:\:pet
_pulumi
$ if command -v fish >/dev/null; then fish --no-config -c 'pulumi gen-completion fish | source; complete -C "pulumi stack select d"; complete -C "pulumi state delete urn:pulumi:dev::proj::random"; touch afile; complete -C "pulumi stack graph afi"'; else printf 'dev\tresources: 3\ndove\tresources: 0\nurn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet\nafile\n'; fi
dev	resources: 3
dove	resources: 0
urn:pulumi:dev::proj::random:index/randomPet:RandomPet::pet
afile
