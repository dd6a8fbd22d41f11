# bash completion for ireporter(1)                         -*- shell-script -*-
# shellcheck shell=bash

_ireporter() {
    local cur prev words cword
    _init_completion || return

    local commands='serve check status contract fsck thumbs migrate'
    if ((cword == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$cur")
        return
    fi
    case $prev in
    --nginx)
        _filedir
        return
        ;;
    --directory)
        _filedir -d
        return
        ;;
    --fit)
        mapfile -t COMPREPLY < <(compgen -W 'crop stretch' -- "$cur")
        return
        ;;
    --listen | --against | --only | --api-key | --attempts | --timeout | --grace | --side | --after)
        return
        ;;
    esac
    [[ $cur == -* ]] || return 0

    local options=
    case ${words[1]} in
    serve) options='--listen' ;;
    check) options='--nginx --quiet' ;;
    status) options='--listen --json --prometheus --ping --watch' ;;
    contract)
        options='--against --original --only --api-key --attempts --timeout --json --yes --list'
        ;;
    fsck) options='--repair --delete-rows --many --grace' ;;
    thumbs) options='--rebuild --side --fit --after' ;;
    migrate) options='--dry-run --only --directory' ;;
    *) return ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$cur")
} &&
    complete -F _ireporter ireporter
