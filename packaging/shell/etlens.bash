# Completion of etlens(1). Written by packaging/generate.mjs.
_etlens() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; ++at)); do
    [[ ${COMP_WORDS[at]} == -* ]] || { command=${COMP_WORDS[at]}; break; }
  done
  case $command in
    '')
      COMPREPLY=($(compgen -W 'annotate advise lines modules events partitions inspect check diff fleet rows export report memory size values pstats init explain lsp mcp -h --help --version' -- "$word"))
      [[ ${#COMPREPLY[@]} -gt 0 ]] && return
      ;; # a folder is annotated
    annotate)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions | --measure | --threshold) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale -o --statistic --executions --raw --measure --reference --debug-buffer --prof --full --threshold --explain --color' -- "$word")) && return
      ;;
    advise)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --top --sort --reverse --columns --explain --color' -- "$word")) && return
      ;;
    lines)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions | --top | --sort | --columns | --measure) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --top --sort --reverse --columns --explain --color --measure --reference --debug-buffer --prof' -- "$word")) && return
      ;;
    modules)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions | --top | --sort | --columns | --measure) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --top --sort --reverse --columns --explain --color --measure --reference --debug-buffer --prof --module' -- "$word")) && return
      ;;
    events)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --by)
          COMPREPLY=($(compgen -W 'operator line module delegate partition' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --top --sort --reverse --columns --explain --color --by' -- "$word")) && return
      ;;
    partitions)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --top --sort --reverse --columns --explain --color' -- "$word")) && return
      ;;
    inspect)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --compat) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --debug-buffer --compat --raw --no-units' -- "$word")) && return
      ;;
    check)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table json' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --verbose' -- "$word")) && return
      ;;
    diff)
      case $previous in
        --base-source-time-scale | --new-source-time-scale | --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --measure)
          COMPREPLY=($(compgen -W 'time size memory' -- "$word"))
          return
          ;;
        --by)
          COMPREPLY=($(compgen -W 'line module operator partition' -- "$word"))
          return
          ;;
        --base-root | --new-root | --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --base-method | --base-revision | --new-method | --new-revision | --method | --block | --path-map | --library-frames | --statistic | --executions | --top | --sort | --columns | --threshold | --fail-above) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --base --base-etdump --base-etrecord --base-pte --base-method --base-root --base-revision --base-source-time-scale --new --new-etdump --new-etrecord --new-pte --new-method --new-root --new-revision --new-source-time-scale --method --block --root --path-map --library-frames --no-etrecord --no-recover --source-time-scale --target-time-scale --format -o --statistic --executions --raw --top --sort --reverse --columns --explain --color --measure --by --threshold --fail-above --all' -- "$word")) && return
      ;;
    fleet)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --by)
          COMPREPLY=($(compgen -W 'line module operator' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --no-etrecord | --method | --block | --library-frames | --statistic | --executions | --facts | --jobs | --group-by | --trend | --builds | --threshold | --exact-values | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etrecord --no-etrecord --pte --method --block --library-frames --source-time-scale --statistic --executions --raw --facts --jobs --from --group-by --trend --builds --threshold --picture --exact-values --target-time-scale --by --format -o --top --sort --reverse --columns --explain --color' -- "$word")) && return
      ;;
    rows)
      case $previous in
        --source-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'ndjson tsv' -- "$word"))
          return
          ;;
        --no-etrecord | --method | --block | --library-frames | --statistic | --executions | --facts | --jobs) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etrecord --no-etrecord --pte --method --block --library-frames --source-time-scale --statistic --executions --raw --facts --jobs --each-execution --format --no-header -o' -- "$word")) && return
      ;;
    export)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --to)
          COMPREPLY=($(compgen -W 'chrome csv html markdown ndjson perfetto pprof prof speedscope svg dot' -- "$word"))
          return
          ;;
        --measure)
          COMPREPLY=($(compgen -W 'time memory' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale -o --statistic --executions --raw --debug-buffer --base --to --measure' -- "$word")) && return
      ;;
    report)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'html markdown' -- "$word"))
          return
          ;;
        --root)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --statistic | --executions) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale -o --statistic --executions --raw --debug-buffer --base --format' -- "$word")) && return
      ;;
    memory)
      case $previous in
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --no-etrecord | --method | --library-frames | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --pte --etrecord --no-etrecord --method --library-frames --no-recover --format -o --top --sort --reverse --columns --explain --color --etdump' -- "$word")) && return
      ;;
    size)
      case $previous in
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --no-etrecord | --method | --library-frames | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --pte --etrecord --no-etrecord --method --library-frames --no-recover --format -o --top --sort --reverse --columns --explain --color' -- "$word")) && return
      ;;
    values)
      case $previous in
        --source-time-scale | --target-time-scale)
          COMPREPLY=($(compgen -W 'ns us ms s cycles' -- "$word"))
          return
          ;;
        --format)
          COMPREPLY=($(compgen -W 'table tsv csv json markdown' -- "$word"))
          return
          ;;
        --color)
          COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
          return
          ;;
        --metric)
          COMPREPLY=($(compgen -W 'MSE L1 SNR' -- "$word"))
          return
          ;;
        --root | --save)
          compopt -o filenames
          mapfile -t COMPREPLY < <(compgen -d -- "$word")
          return
          ;;
        --no-etrecord | --method | --block | --path-map | --library-frames | --top | --sort | --columns) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --etdump --etrecord --no-etrecord --pte --method --block --root --path-map --library-frames --no-recover --source-time-scale --target-time-scale --format -o --top --sort --reverse --columns --explain --color --debug-buffer --reference --reference-debug-buffer --reference-etrecord --compat --metric --histogram --save' -- "$word")) && return
      ;;
    pstats)
      case $previous in
        --format)
          COMPREPLY=($(compgen -W 'table json' -- "$word"))
          return
          ;;
        --sort | --restrict) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --sort --reverse --restrict --strip-dirs --callers --callees --format -o' -- "$word")) && return
      ;;
    init)
      case $previous in
        --runner)
          COMPREPLY=($(compgen -W 'python adb cpp' -- "$word"))
          return
          ;;
        --backend)
          COMPREPLY=($(compgen -W 'xnnpack portable' -- "$word"))
          return
          ;;
        --class) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --class --runner --backend -o' -- "$word")) && return
      ;;
    explain)
      case $previous in
        --format)
          COMPREPLY=($(compgen -W 'table markdown' -- "$word"))
          return
          ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --format -o' -- "$word")) && return
      ;;
    lsp)
      case $previous in
        --clientProcessId) return ;;
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --log --record --stdio --clientProcessId' -- "$word")) && return
      ;;
    mcp)
      case $previous in
      esac
      [[ $word == -* ]] && COMPREPLY=($(compgen -W '-h --help --log' -- "$word")) && return
      ;;
  esac
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _etlens etlens
