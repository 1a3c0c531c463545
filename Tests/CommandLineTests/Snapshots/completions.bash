# Completion of pumpline for bash.
# The last of words that are joined by commas.
_pumpline_list() {
  local before=""
  [[ "$1" == *,* ]] && before="${1%,*},"
  COMPREPLY=($(compgen -P "$before" -W "$2" -- "${1##*,}"))
}
_pumpline() {
  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" i
  COMPREPLY=()
  # In --name=value the equal sign is a word of its own.
  if [[ "$word" == "=" ]]; then
    word=""
  elif [[ "$previous" == "=" ]]; then
    previous="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
      convert|pull|login|run|validate|inspect|audit|diff|explain|decode|normalize|deduplicate|emit|demo|completions|help) command="${COMP_WORDS[i]}"; break ;;
      ledger) command="ledger"
        if ((i + 1 < COMP_CWORD)); then command="ledger ${COMP_WORDS[i+1]}"; fi
        break ;;
    esac
  done
  case "$command $previous" in
    " --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "convert --decimal") COMPREPLY=($(compgen -W "point comma" -- "$word")); return ;;
    "convert --date-order") COMPREPLY=($(compgen -W "ymd dmy mdy" -- "$word")); return ;;
    "convert --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "convert --serial") COMPREPLY=(); return ;;
    "convert --clock") COMPREPLY=($(compgen -W "auto records zone" -- "$word")); return ;;
    "convert --insulin") COMPREPLY=($(compgen -W "u100 u200 u500" -- "$word")); return ;;
    "convert --now") COMPREPLY=(); return ;;
    "convert --pump") COMPREPLY=(); return ;;
    "convert --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "convert --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "convert --zero-basal") COMPREPLY=($(compgen -W "keep drop" -- "$word")); return ;;
    "convert --from") COMPREPLY=(); return ;;
    "convert --until") COMPREPLY=(); return ;;
    "convert --to") COMPREPLY=($(compgen -W "apple-health csv sqlite samples" -- "$word")); return ;;
    "convert --output"|"convert -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "convert --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "convert --ledger") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "convert --wait") COMPREPLY=(); return ;;
    "convert --offset") COMPREPLY=(); return ;;
    "convert --export-date") COMPREPLY=(); return ;;
    "convert --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "pull --credentials") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "pull --credentials-fd") COMPREPLY=(); return ;;
    "pull --region") COMPREPLY=($(compgen -W "us eu" -- "$word")); return ;;
    "pull --endpoints") mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"); return ;;
    "pull --lane") COMPREPLY=($(compgen -W "recent changes backfill" -- "$word")); return ;;
    "pull --since") COMPREPLY=(); return ;;
    "pull --available-days") COMPREPLY=(); return ;;
    "pull --save-raw") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "pull --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "pull --clock") COMPREPLY=($(compgen -W "auto records zone" -- "$word")); return ;;
    "pull --insulin") COMPREPLY=($(compgen -W "u100 u200 u500" -- "$word")); return ;;
    "pull --now") COMPREPLY=(); return ;;
    "pull --pump") COMPREPLY=(); return ;;
    "pull --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "pull --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "pull --zero-basal") COMPREPLY=($(compgen -W "keep drop" -- "$word")); return ;;
    "pull --from") COMPREPLY=(); return ;;
    "pull --until") COMPREPLY=(); return ;;
    "pull --to") COMPREPLY=($(compgen -W "apple-health csv sqlite samples" -- "$word")); return ;;
    "pull --output"|"pull -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "pull --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "pull --ledger") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "pull --wait") COMPREPLY=(); return ;;
    "pull --offset") COMPREPLY=(); return ;;
    "pull --export-date") COMPREPLY=(); return ;;
    "pull --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "login --credentials") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "login --credentials-fd") COMPREPLY=(); return ;;
    "login --region") COMPREPLY=($(compgen -W "us eu" -- "$word")); return ;;
    "login --endpoints") mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"); return ;;
    "login --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "run --input") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "run --decimal") COMPREPLY=($(compgen -W "point comma" -- "$word")); return ;;
    "run --date-order") COMPREPLY=($(compgen -W "ymd dmy mdy" -- "$word")); return ;;
    "run --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "run --serial") COMPREPLY=(); return ;;
    "run --clock") COMPREPLY=($(compgen -W "auto records zone" -- "$word")); return ;;
    "run --insulin") COMPREPLY=($(compgen -W "u100 u200 u500" -- "$word")); return ;;
    "run --now") COMPREPLY=(); return ;;
    "run --pump") COMPREPLY=(); return ;;
    "run --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "run --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "run --zero-basal") COMPREPLY=($(compgen -W "keep drop" -- "$word")); return ;;
    "run --from") COMPREPLY=(); return ;;
    "run --until") COMPREPLY=(); return ;;
    "run --to") COMPREPLY=($(compgen -W "apple-health csv sqlite samples" -- "$word")); return ;;
    "run --output"|"run -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "run --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "run --ledger") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "run --wait") COMPREPLY=(); return ;;
    "run --offset") COMPREPLY=(); return ;;
    "run --export-date") COMPREPLY=(); return ;;
    "run --credentials") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "run --credentials-fd") COMPREPLY=(); return ;;
    "run --region") COMPREPLY=($(compgen -W "us eu" -- "$word")); return ;;
    "run --endpoints") mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.json' -- "$word"); return ;;
    "run --lane") COMPREPLY=($(compgen -W "recent changes backfill" -- "$word")); return ;;
    "run --since") COMPREPLY=(); return ;;
    "run --available-days") COMPREPLY=(); return ;;
    "run --save-raw") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "run --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "validate --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "inspect --decimal") COMPREPLY=($(compgen -W "point comma" -- "$word")); return ;;
    "inspect --date-order") COMPREPLY=($(compgen -W "ymd dmy mdy" -- "$word")); return ;;
    "inspect --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "ledger status --wait") COMPREPLY=(); return ;;
    "ledger status --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "ledger totals --wait") COMPREPLY=(); return ;;
    "ledger totals --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "ledger verify --wait") COMPREPLY=(); return ;;
    "ledger verify --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "ledger export --pump") COMPREPLY=(); return ;;
    "ledger export --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "ledger export --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "ledger export --zero-basal") COMPREPLY=($(compgen -W "keep drop" -- "$word")); return ;;
    "ledger export --from") COMPREPLY=(); return ;;
    "ledger export --until") COMPREPLY=(); return ;;
    "ledger export --to") COMPREPLY=($(compgen -W "apple-health csv sqlite samples" -- "$word")); return ;;
    "ledger export --output"|"ledger export -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "ledger export --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "ledger export --wait") COMPREPLY=(); return ;;
    "ledger export --offset") COMPREPLY=(); return ;;
    "ledger export --export-date") COMPREPLY=(); return ;;
    "ledger export --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "ledger forget --pump") COMPREPLY=(); return ;;
    "ledger forget --document") COMPREPLY=(); return ;;
    "ledger forget --now") COMPREPLY=(); return ;;
    "ledger forget --wait") COMPREPLY=(); return ;;
    "ledger forget --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "audit --output"|"audit -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "audit --source") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "audit --fail-on") COMPREPLY=($(compgen -W "error warning" -- "$word")); return ;;
    "audit --accept") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "audit --html") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "audit --decimal") COMPREPLY=($(compgen -W "point comma" -- "$word")); return ;;
    "audit --date-order") COMPREPLY=($(compgen -W "ymd dmy mdy" -- "$word")); return ;;
    "audit --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "audit --serial") COMPREPLY=(); return ;;
    "audit --clock") COMPREPLY=($(compgen -W "auto records zone" -- "$word")); return ;;
    "audit --insulin") COMPREPLY=($(compgen -W "u100 u200 u500" -- "$word")); return ;;
    "audit --now") COMPREPLY=(); return ;;
    "audit --pump") COMPREPLY=(); return ;;
    "audit --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "audit --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "audit --zero-basal") COMPREPLY=($(compgen -W "keep drop" -- "$word")); return ;;
    "audit --from") COMPREPLY=(); return ;;
    "audit --until") COMPREPLY=(); return ;;
    "audit --wait") COMPREPLY=(); return ;;
    "audit --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "diff --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "diff --zero-basal") COMPREPLY=($(compgen -W "keep drop" -- "$word")); return ;;
    "diff --wait") COMPREPLY=(); return ;;
    "diff --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "explain --source") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "explain --ledger") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "explain --decimal") COMPREPLY=($(compgen -W "point comma" -- "$word")); return ;;
    "explain --date-order") COMPREPLY=($(compgen -W "ymd dmy mdy" -- "$word")); return ;;
    "explain --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "explain --serial") COMPREPLY=(); return ;;
    "explain --clock") COMPREPLY=($(compgen -W "auto records zone" -- "$word")); return ;;
    "explain --insulin") COMPREPLY=($(compgen -W "u100 u200 u500" -- "$word")); return ;;
    "explain --now") COMPREPLY=(); return ;;
    "explain --wait") COMPREPLY=(); return ;;
    "explain --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "decode --decimal") COMPREPLY=($(compgen -W "point comma" -- "$word")); return ;;
    "decode --date-order") COMPREPLY=($(compgen -W "ymd dmy mdy" -- "$word")); return ;;
    "decode --output"|"decode -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "decode --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "normalize --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "normalize --serial") COMPREPLY=(); return ;;
    "normalize --clock") COMPREPLY=($(compgen -W "auto records zone" -- "$word")); return ;;
    "normalize --insulin") COMPREPLY=($(compgen -W "u100 u200 u500" -- "$word")); return ;;
    "normalize --now") COMPREPLY=(); return ;;
    "normalize --pump") COMPREPLY=(); return ;;
    "normalize --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "normalize --include") _pumpline_list "$word" "glucose derived-basal"; return ;;
    "normalize --from") COMPREPLY=(); return ;;
    "normalize --until") COMPREPLY=(); return ;;
    "normalize --output"|"normalize -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "normalize --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "normalize --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "deduplicate --ledger") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "deduplicate --wait") COMPREPLY=(); return ;;
    "deduplicate --output"|"deduplicate -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "deduplicate --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "deduplicate --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "emit --zone") COMPREPLY=($(compgen -W "$(awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone1970.tab 2>/dev/null)" -- "$word")); return ;;
    "emit --account") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "emit --pump") COMPREPLY=(); return ;;
    "emit --only") _pumpline_list "$word" "basal bolus carbs"; return ;;
    "emit --from") COMPREPLY=(); return ;;
    "emit --until") COMPREPLY=(); return ;;
    "emit --to") COMPREPLY=($(compgen -W "apple-health csv sqlite samples" -- "$word")); return ;;
    "emit --output"|"emit -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "emit --report") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "emit --offset") COMPREPLY=(); return ;;
    "emit --export-date") COMPREPLY=(); return ;;
    "emit --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "demo --seed") COMPREPLY=(); return ;;
    "demo --days") COMPREPLY=(); return ;;
    "demo --pumps") COMPREPLY=(); return ;;
    "demo --formats") _pumpline_list "$word" "pump-logs pumpevents records har source-csv timeline-csv therapy-events timeline-json basal-suspension nightscout glooko tidepool records-little-endian hex-lines ble-frames btsnoop all"; return ;;
    "demo --output"|"demo -o") mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    "demo --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "completions --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    "help --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
  esac
  case "$command" in
    "convert")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--keep-going --complete --decimal --date-order --zone --serial --clock --insulin --rezone --hold-moves --now --pump --only --include --zero-basal --from --until --to --output --changes --report --ledger --wait --offset --export-date --dry-run --json --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "pull")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--credentials --credentials-fd --region --endpoints --lane --since --available-days --if-stale --save-raw --zone --clock --insulin --rezone --hold-moves --now --pump --only --include --zero-basal --from --until --to --output --changes --report --ledger --wait --offset --export-date --dry-run --json --quiet --verbose --color --help --version" -- "$word"))
      else
        COMPREPLY=()
      fi ;;
    "login")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--credentials --credentials-fd --region --endpoints --json --quiet --verbose --color --help --version" -- "$word"))
      else
        COMPREPLY=()
      fi ;;
    "run")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--input --keep-going --complete --decimal --date-order --zone --serial --clock --insulin --rezone --hold-moves --now --pump --only --include --zero-basal --from --until --to --output --changes --report --ledger --wait --offset --export-date --dry-run --json --credentials --credentials-fd --region --endpoints --lane --since --available-days --if-stale --save-raw --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.yaml' -- "$word"; compgen -f -X '!*.yml' -- "$word")
      fi ;;
    "validate")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--json --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X '!*.yaml' -- "$word"; compgen -f -X '!*.yml' -- "$word")
      fi ;;
    "inspect")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--decimal --date-order --json --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "ledger status")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--json --wait --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "ledger totals")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--weekly --json --wait --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "ledger verify")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--json --wait --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "ledger export")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--pump --only --include --zero-basal --from --until --to --output --report --wait --offset --export-date --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "ledger forget")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--pump --document --all --yes --now --wait --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "audit")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--output --source --fail-on --accept --html --complete --decimal --date-order --zone --serial --clock --insulin --now --pump --only --include --zero-basal --from --until --wait --json --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "diff")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--include --zero-basal --wait --json --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "explain")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--source --ledger --complete --decimal --date-order --zone --serial --clock --insulin --now --wait --json --quiet --verbose --color --help --version" -- "$word"))
      else
        COMPREPLY=()
      fi ;;
    "decode")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--complete --decimal --date-order --output --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "normalize")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--zone --serial --clock --insulin --now --pump --only --include --from --until --output --report --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "deduplicate")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--ledger --wait --all --output --report --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "emit")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--zone --account --pump --only --from --until --to --output --report --offset --export-date --quiet --verbose --color --help --version" -- "$word"))
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi ;;
    "demo")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--seed --days --pumps --formats --output --quiet --verbose --color --help --version" -- "$word"))
      else
        COMPREPLY=()
      fi ;;
    "completions")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--quiet --verbose --color --help --version" -- "$word"))
      else
        COMPREPLY=($(compgen -W "bash zsh fish" -- "$word"))
      fi ;;
    "help")
      if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "--quiet --verbose --color --help --version" -- "$word"))
      else
        COMPREPLY=($(compgen -W "convert pull login run validate inspect ledger status totals verify export forget audit diff explain decode normalize deduplicate emit demo completions help" -- "$word"))
      fi ;;
    ledger) COMPREPLY=($(compgen -W "status totals verify export forget" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "convert pull login run validate inspect ledger audit diff explain decode normalize deduplicate emit demo completions help --quiet --verbose --color --help --version" -- "$word")) ;;
  esac
}
complete -o filenames -F _pumpline pumpline
