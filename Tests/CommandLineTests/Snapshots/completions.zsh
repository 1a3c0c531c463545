#compdef pumpline
# Completion of pumpline for zsh.
_pumpline() {
  local -a commands
  commands=(
    'convert:Turn pump history into insulin and carb samples.'
    'pull:Fetch history from Tandem Source into a ledger.'
    'login:Check credentials of Tandem Source, and list the account'\''s pumps.'
    'run:Do what a pipeline file says.'
    'validate:Check pipeline files without running them.'
    'inspect:Show what is in files, before anything is converted.'
    'ledger:Commands\: status, totals, verify, export and forget.'
    'audit:Look for what is wrong in an output, and prove it against its archives.'
    'diff:Compare the samples of two outputs.'
    'explain:Tell where a sample comes from, or why there is none.'
    'decode:Write every record and row of the inputs as a line of JSON.'
    'normalize:Make samples of the lines of decode.'
    'deduplicate:Write the samples that are new or changed, each once.'
    'emit:Write samples in other formats.'
    'demo:Write archives of a pump that never was, to try things out.'
    'completions:Print what makes a shell complete pumpline'\''s commands and options.'
    'help:Show the manual of pumpline or of one command.'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  if [[ "$command" == ledger ]]; then
    if (( CURRENT == 2 )); then
      commands=(
      'status:Show what a ledger holds.'
      'totals:Show what a ledger'\''s samples add up to, by day or week.'
      'verify:Prove a ledger against its own journal.'
      'export:Write a ledger'\''s samples without reading anything new.'
      'forget:Take a document, a pump or everything out of a ledger, without a trace.'
      )
      _describe command commands
      return
    fi
    command="ledger $words[2]"
    shift words
    (( CURRENT-- ))
  fi
  case "$command" in
    'convert')
      _arguments -s \
        '--keep-going[Count an unreadable input as one reject and go on.]' \
        '--complete[Say that the inputs hold every record between their first and last.]' \
        '--decimal=[What stands before the decimals in tables that do not tell.]:point|comma:(point comma)' \
        '--date-order=[The order of day, month and year in tables that do not tell.]:ymd|dmy|mdy:(ymd dmy mdy)' \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '--serial=[The serial number of the pump in inputs that name none.]:NUMBER: ' \
        '--clock=[How the pump'\''s clock becomes time.]:auto|records|zone:(auto records zone)' \
        '--insulin=[The concentration of the insulin in the pump; U-100 unless said.]:u100|u200|u500:(u100 u200 u500)' \
        '--rezone[Let another zone or clock mode replace the ledger'\''s, for its whole history.]' \
        '--hold-moves[Keep nothing if samples given before would move in time.]' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '*--pump=[Write samples of this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '*--include=[Write glucose, or derived basal, too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--zero-basal=[Whether CSV and SQLite show basal of rate 0; drop unless said.]:keep|drop:(keep drop)' \
        '--from=[Write samples that start at T or later.]:T: ' \
        '--until=[Write samples that start before T.]:T: ' \
        '*--to=[Take apple-health, csv, sqlite or samples for the --output that follows.]:FORMAT:(apple-health csv sqlite samples)' \
        '*--output=[Write samples to a file; - is standard output.]:FILE:_files' \
        '*-o+[Write samples to a file; - is standard output.]:FILE:_files' \
        '--changes=-[Write only what an output has not been given yet; needs --ledger.]::fresh|all:(fresh all)' \
        '--report=[Write a JSON report of all that was read, rejected, missing or odd.]:FILE:_files' \
        '--ledger=[Keep what was read in this file, so that runs add up.]:FILE:_files' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--offset=[The UTC offset of an Apple Health file.]:±HHMM: ' \
        '--export-date=[The export date of an Apple Health file; its newest end unless said.]:T: ' \
        '--dry-run[Do everything but keep it\: say what would change, and write nothing.]' \
        '-n[Do everything but keep it\: say what would change, and write nothing.]' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:INPUT:_files' ;;
    'pull')
      _arguments -s \
        '--credentials=[Read the account'\''s e-mail address and password in this file.]:FILE:_files' \
        '--credentials-fd=[Read the same lines from an open descriptor.]:N: ' \
        '--region=[The cluster that the account is on; us unless said.]:us|eu:(us eu)' \
        '--endpoints=[Ask other servers, for tests.]:FILE:_files -g "*.(json)"' \
        '--lane=[Fetch only this; recent, changes and backfill in turn unless said.]:recent|changes|backfill:(recent changes backfill)' \
        '--since=[Walk back to this day and no further.]:DAY: ' \
        '--available-days=[Ask for nothing older than so many days.]:N: ' \
        '--if-stale[Do nothing if a pull of the last four hours got all it asked for.]' \
        '--save-raw=[Keep the answers as they came, for convert.]:FOLDER:_files' \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '--clock=[How the pump'\''s clock becomes time.]:auto|records|zone:(auto records zone)' \
        '--insulin=[The concentration of the insulin in the pump; U-100 unless said.]:u100|u200|u500:(u100 u200 u500)' \
        '--rezone[Let another zone or clock mode replace the ledger'\''s, for its whole history.]' \
        '--hold-moves[Keep nothing if samples given before would move in time.]' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '*--pump=[Fetch and write this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '*--include=[Write glucose, or derived basal, too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--zero-basal=[Whether CSV and SQLite show basal of rate 0; drop unless said.]:keep|drop:(keep drop)' \
        '--from=[Fetch from T on, and write samples that start then or later.]:T: ' \
        '--until=[Fetch up to T, and write samples that start before.]:T: ' \
        '*--to=[Take apple-health, csv, sqlite or samples for the --output that follows.]:FORMAT:(apple-health csv sqlite samples)' \
        '*--output=[Write samples to a file; - is standard output.]:FILE:_files' \
        '*-o+[Write samples to a file; - is standard output.]:FILE:_files' \
        '--changes=-[Write only what an output has not been given yet; needs --ledger.]::fresh|all:(fresh all)' \
        '--report=[Write a JSON report of all that was read, rejected, missing or odd.]:FILE:_files' \
        '--ledger=[Keep what was read in this file, so that runs add up.]:FILE:_files' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--offset=[The UTC offset of an Apple Health file.]:±HHMM: ' \
        '--export-date=[The export date of an Apple Health file; its newest end unless said.]:T: ' \
        '--dry-run[Say what would be asked for, and fetch and keep nothing.]' \
        '-n[Say what would be asked for, and fetch and keep nothing.]' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' ;;
    'login')
      _arguments -s \
        '--credentials=[Read the account'\''s e-mail address and password in this file.]:FILE:_files' \
        '--credentials-fd=[Read the same lines from an open descriptor.]:N: ' \
        '--region=[The cluster that the account is on; us unless said.]:us|eu:(us eu)' \
        '--endpoints=[Ask other servers, for tests.]:FILE:_files -g "*.(json)"' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' ;;
    'run')
      _arguments -s \
        '*--input=[Read this in place of the inputs that the file names.]:INPUT:_files' \
        '--keep-going[Count an unreadable input as one reject and go on.]' \
        '--complete[Say that the inputs hold every record between their first and last.]' \
        '--decimal=[What stands before the decimals in tables that do not tell.]:point|comma:(point comma)' \
        '--date-order=[The order of day, month and year in tables that do not tell.]:ymd|dmy|mdy:(ymd dmy mdy)' \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '--serial=[The serial number of the pump in inputs that name none.]:NUMBER: ' \
        '--clock=[How the pump'\''s clock becomes time.]:auto|records|zone:(auto records zone)' \
        '--insulin=[The concentration of the insulin in the pump; U-100 unless said.]:u100|u200|u500:(u100 u200 u500)' \
        '--rezone[Let another zone or clock mode replace the ledger'\''s, for its whole history.]' \
        '--hold-moves[Keep nothing if samples given before would move in time.]' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '*--pump=[Write samples of this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '*--include=[Write glucose, or derived basal, too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--zero-basal=[Whether CSV and SQLite show basal of rate 0; drop unless said.]:keep|drop:(keep drop)' \
        '--from=[Write samples that start at T or later.]:T: ' \
        '--until=[Write samples that start before T.]:T: ' \
        '*--to=[Take apple-health, csv, sqlite or samples for the --output that follows.]:FORMAT:(apple-health csv sqlite samples)' \
        '*--output=[Write samples to a file; - is standard output.]:FILE:_files' \
        '*-o+[Write samples to a file; - is standard output.]:FILE:_files' \
        '--changes=-[Write only what an output has not been given yet; needs --ledger.]::fresh|all:(fresh all)' \
        '--report=[Write a JSON report of all that was read, rejected, missing or odd.]:FILE:_files' \
        '--ledger=[Keep what was read in this file, so that runs add up.]:FILE:_files' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--offset=[The UTC offset of an Apple Health file.]:±HHMM: ' \
        '--export-date=[The export date of an Apple Health file; its newest end unless said.]:T: ' \
        '--dry-run[Do everything but keep it\: say what would change, and write nothing.]' \
        '-n[Do everything but keep it\: say what would change, and write nothing.]' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--credentials=[Read the account'\''s e-mail address and password in this file.]:FILE:_files' \
        '--credentials-fd=[Read the same lines from an open descriptor.]:N: ' \
        '--region=[The cluster that the account is on; us unless said.]:us|eu:(us eu)' \
        '--endpoints=[Ask other servers, for tests.]:FILE:_files -g "*.(json)"' \
        '--lane=[Fetch only this; recent, changes and backfill in turn unless said.]:recent|changes|backfill:(recent changes backfill)' \
        '--since=[Walk back to this day and no further.]:DAY: ' \
        '--available-days=[Ask for nothing older than so many days.]:N: ' \
        '--if-stale[Do nothing if a pull of the last four hours got all it asked for.]' \
        '--save-raw=[Keep the answers as they came, for convert.]:FOLDER:_files' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:PIPELINE:_files -g "*.(yaml|yml)"' ;;
    'validate')
      _arguments -s \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:FILE:_files -g "*.(yaml|yml)"' ;;
    'inspect')
      _arguments -s \
        '--decimal=[What stands before the decimals in tables that do not tell.]:point|comma:(point comma)' \
        '--date-order=[The order of day, month and year in tables that do not tell.]:ymd|dmy|mdy:(ymd dmy mdy)' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:INPUT:_files' ;;
    'ledger status')
      _arguments -s \
        '--json[Answer in JSON, with keys that stay.]' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:LEDGER:_files' ;;
    'ledger totals')
      _arguments -s \
        '--weekly[Add up by weeks, not by days.]' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:LEDGER:_files' ;;
    'ledger verify')
      _arguments -s \
        '--json[Answer in JSON, with keys that stay.]' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:LEDGER:_files' ;;
    'ledger export')
      _arguments -s \
        '*--pump=[Write samples of this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '*--include=[Write glucose, or derived basal, too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--zero-basal=[Whether CSV and SQLite show basal of rate 0; drop unless said.]:keep|drop:(keep drop)' \
        '--from=[Write samples that start at T or later.]:T: ' \
        '--until=[Write samples that start before T.]:T: ' \
        '*--to=[Take apple-health, csv, sqlite or samples for the --output that follows.]:FORMAT:(apple-health csv sqlite samples)' \
        '*--output=[Write samples to a file; - is standard output.]:FILE:_files' \
        '*-o+[Write samples to a file; - is standard output.]:FILE:_files' \
        '--report=[Write a JSON report of all that was read, rejected, missing or odd.]:FILE:_files' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--offset=[The UTC offset of an Apple Health file.]:±HHMM: ' \
        '--export-date=[The export date of an Apple Health file; its newest end unless said.]:T: ' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:LEDGER:_files' ;;
    'ledger forget')
      _arguments -s \
        '--pump=[Forget this pump, and the documents that hold nothing else.]:NAME: ' \
        '--document=[Forget the document of this SHA-256.]:DIGEST: ' \
        '--all[Forget everything, settings too.]' \
        '--yes[Do not ask whether it is meant.]' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:LEDGER:_files' ;;
    'audit')
      _arguments -s \
        '--output=[The output to look at.]:FILE:_files' \
        '-o+[The output to look at.]:FILE:_files' \
        '*--source=[What the output was made of\: every word up to the next option.]:ARCHIVE:_files' \
        '--fail-on=[From which weight on findings end with 1; error unless said.]:error|warning:(error warning)' \
        '--accept=[A file of findings that are accepted, each with its reason.]:FILE:_files' \
        '--html=[Write the audit as one page that needs nothing but itself.]:FILE:_files' \
        '--complete[Say that the inputs hold every record between their first and last.]' \
        '--decimal=[What stands before the decimals in tables that do not tell.]:point|comma:(point comma)' \
        '--date-order=[The order of day, month and year in tables that do not tell.]:ymd|dmy|mdy:(ymd dmy mdy)' \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '--serial=[The serial number of the pump in inputs that name none.]:NUMBER: ' \
        '--clock=[How the pump'\''s clock becomes time.]:auto|records|zone:(auto records zone)' \
        '--insulin=[The concentration of the insulin in the pump; U-100 unless said.]:u100|u200|u500:(u100 u200 u500)' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '*--pump=[Write samples of this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '*--include=[Write glucose, or derived basal, too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--zero-basal=[Whether CSV and SQLite show basal of rate 0; drop unless said.]:keep|drop:(keep drop)' \
        '--from=[Write samples that start at T or later.]:T: ' \
        '--until=[Write samples that start before T.]:T: ' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*::_files' ;;
    'diff')
      _arguments -s \
        '*--include=[Compare glucose, or derived basal, of a ledger too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--zero-basal=[Whether a ledger shows basal of rate 0; drop unless said.]:keep|drop:(keep drop)' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:OUTPUT:_files' ;;
    'explain')
      _arguments -s \
        '*--source=[What samples are made of\: every word up to the next option.]:ARCHIVE:_files' \
        '--ledger=[The ledger that is asked.]:FILE:_files' \
        '--complete[Say that the inputs hold every record between their first and last.]' \
        '--decimal=[What stands before the decimals in tables that do not tell.]:point|comma:(point comma)' \
        '--date-order=[The order of day, month and year in tables that do not tell.]:ymd|dmy|mdy:(ymd dmy mdy)' \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '--serial=[The serial number of the pump in inputs that name none.]:NUMBER: ' \
        '--clock=[How the pump'\''s clock becomes time.]:auto|records|zone:(auto records zone)' \
        '--insulin=[The concentration of the insulin in the pump; U-100 unless said.]:u100|u200|u500:(u100 u200 u500)' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--json[Answer in JSON, with keys that stay.]' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:ID|TIME: ' ;;
    'decode')
      _arguments -s \
        '--complete[Say that the inputs hold every record between their first and last.]' \
        '--decimal=[What stands before the decimals in tables that do not tell.]:point|comma:(point comma)' \
        '--date-order=[The order of day, month and year in tables that do not tell.]:ymd|dmy|mdy:(ymd dmy mdy)' \
        '--output=[Write the lines to a file; to standard output unless said.]:FILE:_files' \
        '-o+[Write the lines to a file; to standard output unless said.]:FILE:_files' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:INPUT:_files' ;;
    'normalize')
      _arguments -s \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '--serial=[The serial number of the pump in inputs that name none.]:NUMBER: ' \
        '--clock=[How the pump'\''s clock becomes time.]:auto|records|zone:(auto records zone)' \
        '--insulin=[The concentration of the insulin in the pump; U-100 unless said.]:u100|u200|u500:(u100 u200 u500)' \
        '--now=[What counts as now, to find events dated after it.]:T: ' \
        '*--pump=[Write samples of this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '*--include=[Write glucose, or derived basal, too.]:glucose,derived-basal:_values -s , values glucose derived-basal' \
        '--from=[Write samples that start at T or later.]:T: ' \
        '--until=[Write samples that start before T.]:T: ' \
        '--output=[Write the lines to a file; to standard output unless said.]:FILE:_files' \
        '-o+[Write the lines to a file; to standard output unless said.]:FILE:_files' \
        '--report=[Write a JSON report of all that was read, rejected, missing or odd.]:FILE:_files' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:INPUT:_files' ;;
    'deduplicate')
      _arguments -s \
        '--ledger=[Keep in this file what was written, so that later runs write only what is new.]:FILE:_files' \
        '--wait=[How long to wait while another run holds the ledger; 10 unless said.]:SECONDS: ' \
        '--all[Write all samples of the ledger, not only the new and changed ones.]' \
        '--output=[Write the lines to a file; to standard output unless said.]:FILE:_files' \
        '-o+[Write the lines to a file; to standard output unless said.]:FILE:_files' \
        '--report=[Write a JSON report of the lines that were rejected, and of what changed.]:FILE:_files' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:INPUT:_files' ;;
    'emit')
      _arguments -s \
        '*--zone=[The zone that the pump'\''s clock was set to.]:Z[@T]:_time_zone' \
        '*--account=[Read the model and software of pumps in this account answer (pumper).]:FILE:_files' \
        '*--pump=[Write samples of this pump only.]:NAME: ' \
        '--only=[Write these kinds of insulin and carbs only.]:basal,bolus,carbs:_values -s , values basal bolus carbs' \
        '--from=[Write samples that start at T or later.]:T: ' \
        '--until=[Write samples that start before T.]:T: ' \
        '*--to=[Take apple-health, csv, sqlite or samples for the --output that follows.]:FORMAT:(apple-health csv sqlite samples)' \
        '*--output=[Write samples to a file; - is standard output.]:FILE:_files' \
        '*-o+[Write samples to a file; - is standard output.]:FILE:_files' \
        '--report=[Write a JSON report of the lines that were rejected, and of what changed.]:FILE:_files' \
        '--offset=[The UTC offset of an Apple Health file.]:±HHMM: ' \
        '--export-date=[The export date of an Apple Health file; its newest end unless said.]:T: ' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:INPUT:_files' ;;
    'demo')
      _arguments -s \
        '--seed=[What chance begins with; 1 unless said.]:N: ' \
        '--days=[How many days the history has; 14 unless said.]:D: ' \
        '--pumps=[How many pumps were worn, one after the other; 1 unless said.]:P: ' \
        '*--formats=[The forms of the archives; pump-logs unless said.]:FORMAT,...:_values -s , values pump-logs pumpevents records har source-csv timeline-csv therapy-events timeline-json basal-suspension nightscout glooko tidepool records-little-endian hex-lines ble-frames btsnoop all' \
        '--output=[The folder for the archives; it is made if it is not there.]:DIR:_files' \
        '-o+[The folder for the archives; it is made if it is not there.]:DIR:_files' \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' ;;
    'completions')
      _arguments -s \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:SHELL:(bash zsh fish)' ;;
    'help')
      _arguments -s \
        '--quiet[Say nothing but errors.]' \
        '-q[Say nothing but errors.]' \
        '--verbose[Say what is being done, and shorten no list.]' \
        '-v[Say what is being done, and shorten no list.]' \
        '--color=[Whether text is coloured.]:auto|always|never:(auto always never)' \
        '--help[Show help; -h is the short form.]' \
        '-h[Show help; -h is the short form.]' \
        '--version[Show the version.]' \
        '*:COMMAND:(convert pull login run validate inspect ledger status ledger totals ledger verify ledger export ledger forget audit diff explain decode normalize deduplicate emit demo completions help)' ;;
  esac
}
# Loaded by the first completion, the function is to complete at once.
if [[ "$funcstack[1]" == _pumpline ]]; then
  _pumpline "$@"
else
  compdef _pumpline pumpline
fi
