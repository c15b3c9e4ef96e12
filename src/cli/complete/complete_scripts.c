/* complete_scripts.c — scripts for shells: they only ask `__complete` and show what it answers.
 * "%P" stands for the name of the program. */
#include "cli/complete/complete.h"

/* bash breaks words at ':' and '=' too, which are part of URNs, keys and options. */
static const char bash[] =
    "# Completion of %P for bash: source <(%P gen-completion bash)\n"
    "__%P_words() {\n"
    "    local rest=${COMP_LINE:0:COMP_POINT} trimmed piece i\n"
    "    words=()\n"
    "    for ((i = 0; i <= COMP_CWORD; i++)); do\n"
    "        trimmed=${rest#\"${rest%%[![:space:]]*}\"}\n"
    "        piece=${COMP_WORDS[i]}\n"
    "        ((i == COMP_CWORD)) && piece=$trimmed\n"
    "        if ((i > 0)) && [[ $trimmed == \"$rest\" ]]; then\n"
    "            words[${#words[@]} - 1]+=$piece\n"
    "        else\n"
    "            words+=(\"$piece\")\n"
    "        fi\n"
    "        rest=${trimmed#\"$piece\"}\n"
    "    done\n"
    "}\n"
    "__%P_complete() {\n"
    "    local words current quote='' kept='' line text files=no\n"
    "    __%P_words\n"
    "    current=${words[${#words[@]} - 1]}\n"
    "    case $current in \\\"* | \\'*) quote=${current:0:1} current=${current:1} ;; esac\n"
    "    current=${current//\\\\/}\n"
    "    words[${#words[@]} - 1]=$current\n"
    "    if [[ -z $quote && $COMP_WORDBREAKS == *:* ]]; then\n"
    "        kept=${current%\"${current##*[:=]}\"}\n"
    "    fi\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        text=${line%%$'\\t'*}\n"
    "        if [[ $line == :[0-9]* ]]; then\n"
    "            [[ $line == :0 ]] && files=yes\n"
    "            continue\n"
    "        fi\n"
    "        text=${text#\"$kept\"}\n"
    "        [[ -n $quote ]] || printf -v text %q \"$text\"\n"
    "        COMPREPLY+=(\"$text\")\n"
    "    done < <(\"${words[0]}\" __complete \"${words[@]:1}\" 2>/dev/null)\n"
    "    if [[ $files == yes && ${#COMPREPLY[@]} -eq 0 ]]; then\n"
    "        compopt -o default 2>/dev/null\n"
    "    fi\n"
    "    return 0\n"
    "}\n"
    "complete -F __%P_complete %P\n";

static const char zsh[] =
    "#compdef %P\n"
    "# Completion of %P for zsh: a file _%P in a folder of $fpath, or source <(%P gen-completion "
    "zsh)\n"
    "_%P() {\n"
    "    local -a found\n"
    "    local line name help files=no\n"
    "    while IFS= read -r line; do\n"
    "        if [[ $line == :[0-9]* ]]; then\n"
    "            [[ $line == :0 ]] && files=yes\n"
    "            continue\n"
    "        fi\n"
    "        name=${line%%$'\\t'*}\n"
    "        help=\n"
    "        [[ $line == *$'\\t'* ]] && help=${line#*$'\\t'}\n"
    "        found+=(\"${name//:/\\\\:}${help:+:$help}\")\n"
    "    done < <(\"${words[1]}\" __complete \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)\n"
    "    _describe '%P' found\n"
    "    [[ $files == yes ]] && _files\n"
    "    return 0\n"
    "}\n"
    "if [[ ${funcstack[1]} == _%P ]]; then\n"
    "    _%P \"$@\"\n"
    "else\n"
    "    compdef _%P %P\n"
    "fi\n";

static const char fish[] = "# Completion of %P for fish: %P gen-completion fish | source\n"
                           "function __%P_ask\n"
                           "    set -l words (commandline -opc) (commandline -ct)\n"
                           "    $words[1] __complete $words[2..-1] 2>/dev/null\n"
                           "end\n"
                           "function __%P_complete\n"
                           "    __%P_ask | string match --invert --regex '^:[0-9]+$'\n"
                           "end\n"
                           "function __%P_wants_files\n"
                           "    __%P_ask | string match --quiet ':0'\n"
                           "end\n"
                           "complete -c %P -f\n"
                           "complete -c %P -n __%P_wants_files -F\n"
                           "complete -c %P -k -a '(__%P_complete)'\n";

const char *complete_script(str shell)
{
    if (str_equal(shell, STR("bash")))
        return bash;
    if (str_equal(shell, STR("zsh")))
        return zsh;
    return str_equal(shell, STR("fish")) ? fish : NULL;
}
