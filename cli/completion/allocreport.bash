# SPDX-License-Identifier: MIT
# bash completion for allocreport; made by `allocreport completion bash`.
# shellcheck shell=bash

_allocreport()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
    local command='' options='' operands='' i
    COMPREPLY=()

    # --name=value is three words to readline, unless = is taken from COMP_WORDBREAKS.
    if [[ $word == = ]]; then
        word=
    elif [[ $previous == = ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}
    if [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W 'run live report sites polls compare export html check budget fallback info dump help --help --version' -- "$word"
            compgen -f -X '!*.alloc*' -- "$word")
        return
    fi

    case $command in
    help)
        mapfile -t COMPREPLY < <(compgen -W 'run live report sites polls compare export html check budget fallback info dump' -- "$word")
        return
        ;;
    run)
        options='--output= --report= --json --limit= --live --quiet --keep= --stack-depth= --max-size= --fork= --always --no-arguments --patch --compare-patch --recorder= --verbose --check --budget= --baseline= --strict --format= --junit= --markdown= --color= --help'
        operands=program
        ;;
    live)
        options='--json --interval= --count= --sort= --limit= --color= --help'
        operands=dump
        ;;
    report)
        options='--json --loop= --limit= --color= --help'
        operands=dump
        ;;
    sites)
        options='--json --sort= --limit= --all --stacks --annotate --source-path= --thread= --phase= --in-poll --between --other --loop= --color= --help'
        operands=dump
        ;;
    polls)
        options='--json --limit= --loop= --by-event --color= --help'
        operands=dump
        ;;
    compare)
        options='--json --markdown --threshold= --slack= --times= --time-threshold= --phase= --limit= --all --stacks --color= --help'
        operands=dump
        ;;
    export)
        options='--output= --value= --sort= --limit= --thread= --phase= --in-poll --between --other --loop= --help'
        operands=dump
        ;;
    html)
        options='--output= --help'
        operands=dump
        ;;
    check)
        options='--budget= --baseline= --strict --format= --junit= --markdown= --json --update --tighten --ci --self-test --color= --help'
        operands=dump
        ;;
    budget)
        options='--output= --dump= --color= --help'
        operands=dump
        ;;
    fallback)
        options='--lang= --json --help'
        operands=dump
        ;;
    info)
        options='--json --color= --help'
        operands=dump
        ;;
    dump)
        options='--json --help'
        operands=dump
        ;;
    esac

    case $command:$previous in
    run:--output | run:-o)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--report | run:-r)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--limit | run:-n)
        return
        ;;
    run:--keep | run:-k)
        mapfile -t COMPREPLY < <(compgen -W 'all reported none' -- "$word")
        return
        ;;
    run:--stack-depth | run:-d)
        return
        ;;
    run:--max-size)
        return
        ;;
    run:--fork)
        mapfile -t COMPREPLY < <(compgen -W 'default follow stop' -- "$word")
        return
        ;;
    run:--recorder)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--budget | run:-b)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--baseline | run:-B)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--format | run:-f)
        mapfile -t COMPREPLY < <(compgen -W 'text json junit github markdown' -- "$word")
        return
        ;;
    run:--junit)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--markdown)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    run:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    live:--interval | live:-i)
        return
        ;;
    live:--count | live:-c)
        return
        ;;
    live:--sort | live:-s)
        mapfile -t COMPREPLY < <(compgen -W 'bytes allocations live change' -- "$word")
        return
        ;;
    live:--limit | live:-n)
        return
        ;;
    live:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    report:--loop | report:-l)
        return
        ;;
    report:--limit | report:-n)
        return
        ;;
    report:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    sites:--sort | sites:-s)
        mapfile -t COMPREPLY < <(compgen -W 'bytes allocations live temporary polls growth frees largest' -- "$word")
        return
        ;;
    sites:--limit | sites:-n)
        return
        ;;
    sites:--source-path)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    sites:--thread | sites:-t)
        return
        ;;
    sites:--phase | sites:-p)
        mapfile -t COMPREPLY < <(compgen -W 'all startup warm-up steady shutdown' -- "$word")
        return
        ;;
    sites:--loop | sites:-l)
        return
        ;;
    sites:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    polls:--limit | polls:-n)
        return
        ;;
    polls:--loop | polls:-l)
        return
        ;;
    polls:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    compare:--threshold | compare:-x)
        return
        ;;
    compare:--slack)
        return
        ;;
    compare:--times)
        mapfile -t COMPREPLY < <(compgen -W 'warn fail off' -- "$word")
        return
        ;;
    compare:--time-threshold)
        return
        ;;
    compare:--phase | compare:-p)
        mapfile -t COMPREPLY < <(compgen -W 'steady startup' -- "$word")
        return
        ;;
    compare:--limit | compare:-n)
        return
        ;;
    compare:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    export:--output | export:-o)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    export:--value | export:-v)
        mapfile -t COMPREPLY < <(compgen -W 'bytes allocations live temporary' -- "$word")
        return
        ;;
    export:--sort | export:-s)
        mapfile -t COMPREPLY < <(compgen -W 'bytes allocations live temporary polls growth frees largest' -- "$word")
        return
        ;;
    export:--limit | export:-n)
        return
        ;;
    export:--thread | export:-t)
        return
        ;;
    export:--phase | export:-p)
        mapfile -t COMPREPLY < <(compgen -W 'all startup warm-up steady shutdown' -- "$word")
        return
        ;;
    export:--loop | export:-l)
        return
        ;;
    html:--output | html:-o)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    check:--budget | check:-b)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    check:--baseline | check:-B)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    check:--format | check:-f)
        mapfile -t COMPREPLY < <(compgen -W 'text json junit github markdown' -- "$word")
        return
        ;;
    check:--junit)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    check:--markdown)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    check:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    budget:--output | budget:-o)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    budget:--dump | budget:-d)
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        return
        ;;
    budget:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    fallback:--lang | fallback:-L)
        mapfile -t COMPREPLY < <(compgen -W 'c c++ rust haskell python' -- "$word")
        return
        ;;
    info:--color)
        mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
        return
        ;;
    esac

    if [[ $operands == program ]]; then
        for ((i = 2; i < COMP_CWORD; i++)); do
            if [[ ${COMP_WORDS[i]} == -- ]]; then
                options=
            fi
        done
    fi
    if [[ $word == -* && -n $options ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace
    elif [[ $operands == program ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -X '!*.alloc*' -- "$word"; compgen -d -- "$word")
    fi
    return 0
}
complete -o filenames -F _allocreport allocreport
