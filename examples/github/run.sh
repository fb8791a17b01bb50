#!/usr/bin/env bash
# Entry point of action.yml: installs the scanner, scans, pushes, and reports the results. Reads INPUT_* and the
# variables of the runner. Exits with the exit code of the scan if the scan failed, otherwise with the exit code of the
# push. The inputs fail-on, fail-on-findings and fail-on-push control which failures count.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

usage() {
  echo "::error title=Sluice::$1"
  exit 2
}

require_one_of() { # NAME VALUE ALLOWED...
  local name=$1 value=$2 allowed
  shift 2
  for allowed in "$@"; do [[ $value == "$allowed" ]] && return; done
  usage "The input '$name' must be one of: $*."
}

# Runs npm without the secrets, which it does not need.
npm_without_secrets() {
  env -u SCANNER_CLOUD_API_KEY -u DIRECTORY_PRIVATE_KEY -u DIRECTORY_PRIVATE_KEY_FILE \
    -u OKTA_PRIVATE_KEY -u OKTA_PRIVATE_KEY_FILE npm "$@" --ignore-scripts
}

integrity_of() { # FILE
  node -p 'const bytes = require("node:fs").readFileSync(process.argv[1]);
    "sha512-" + require("node:crypto").createHash("sha512").update(bytes).digest("base64")' "$1"
}

# Installs the tarball after verifying its hash. The tarball contains all dependencies, so nothing else is downloaded.
install_scanner() {
  if [[ -z $INPUT_PACKAGE ]]; then
    command -v scanner >/dev/null ||
      usage "The scanner is not on the PATH. Set the input 'package' to the scanner tarball built by npm run package, and the input 'integrity' to its hash."
    return 0
  fi
  case $INPUT_PACKAGE in
    -*) usage "The input 'package' must not start with a dash." ;;
    https://* | *.tgz | ?*@[0-9]*) ;;
    *) usage "The input 'package' must be the path or https URL of a tarball, or NAME@VERSION." ;;
  esac
  [[ $INPUT_INTEGRITY =~ ^sha512-[A-Za-z0-9+/]{86}==$ ]] ||
    usage "The input 'integrity' must be the hash of the tarball, sha512-.... Copy it from the integrity.txt next to the tarball."
  local folder=$RUNNER_TEMP/sluice-scanner file
  mkdir -p "$folder/tarball"
  echo "::group::Install $INPUT_PACKAGE"
  npm_without_secrets pack --loglevel=warn --pack-destination "$folder/tarball" "$INPUT_PACKAGE" ||
    usage "npm can't download the input 'package'. Check the path, URL, or registry and version."
  file=$(echo "$folder"/tarball/*.tgz)
  [[ $(integrity_of "$file") == "$INPUT_INTEGRITY" ]] ||
    usage "The hash of the input 'package' does not match the input 'integrity', so the package was not installed. Check the source of the tarball."
  npm_without_secrets install --prefix "$folder" --offline --no-audit --no-fund "$file" ||
    usage "npm can't install the input 'package'. Use a tarball built by npm run package, which contains all dependencies."
  echo "::endgroup::"
  PATH=$folder/node_modules/.bin:$PATH
}

# Rejects flags that the action sets itself. They would have no effect, or push the results twice.
reject_own_flags() { # FLAG...
  local flag
  for flag in "$@"; do
    case $INPUT_COMMAND:${flag%%=*} in
      directory:--push-to-cloud | directory:--label)
        usage "The input 'flags' must not contain '${flag%%=*}': with 'command: directory', the action pushes and labels the findings itself."
        ;;
      directory:--output-directory | directory:--output-filename | directory:-o* | directory:-F* | directory:--json-file)
        usage "The input 'flags' must not contain '${flag%%=*}': the action sets it. The output 'output-directory' is the folder of the files."
        ;;
      *:--wait | *:--wait-timeout | *:--fail-on | push:--coverage)
        usage "The input 'flags' must not contain '${flag%%=*}': set the input '$(sed 's/^--//; s/=.*//' <<<"$flag")' instead."
        ;;
    esac
  done
}

# Runs a command whose output may contain untrusted text, and prevents the runner from executing that text as workflow
# commands.
run_without_commands() {
  local token code=0
  token=$(node -p 'crypto.randomUUID()')
  echo "::stop-commands::$token"
  "$@" </dev/null || code=$?
  echo "::$token::"
  return "$code"
}

# Prints the coverage in the JSON document of a scan. Prints nothing if there is no complete document.
coverage_of() { # FILE
  node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).coverage' "$1" 2>/dev/null || true
}

scan() {
  local args=(directory ${flags[@]+"${flags[@]}"} --no-banner --no-color)
  args+=(--output-formats json-ocsf --output-directory "$output" --output-filename findings)
  # An older scanner without this flag would reject it.
  if [[ $(scanner directory --help </dev/null 2>/dev/null) == *--json-file* ]]; then
    args+=(--json-file "$output/scan.json")
  fi
  scan_code=0
  run_without_commands scanner "${args[@]}" || scan_code=$?
  exit_code=$scan_code
  # The push declares the coverage that the scan reports, or nothing if that is unknown.
  local reported
  reported=$(coverage_of "$output/scan.json")
  case $reported in checks | account) coverage=$reported ;; esac
  local file=$output/findings.ocsf.json
  # Do not push a file without records.
  if [[ -f $file ]] && grep -q '{' "$file"; then files=("$file"); fi
}

# Collects the flags that label an upload with the repository, branch or tag, commit and run.
collect_labels() {
  labels=()
  if [[ -z ${GITHUB_REPOSITORY:-} ]]; then return; fi
  labels+=(--label "repository=$GITHUB_REPOSITORY")
  # The ref of a pull request is not a branch.
  if [[ -n ${GITHUB_HEAD_REF:-} ]]; then
    labels+=(--label "branch=$GITHUB_HEAD_REF")
  elif [[ -n ${GITHUB_REF_NAME:-} ]]; then
    labels+=(--label "${GITHUB_REF_TYPE:-branch}=$GITHUB_REF_NAME")
  fi
  if [[ -n ${GITHUB_SHA:-} ]]; then labels+=(--label "commit=$GITHUB_SHA"); fi
  if [[ -n ${GITHUB_RUN_ID:-} ]]; then
    labels+=(--label "pipeline=${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID")
  fi
}

push() { # FLAG...
  local args=(push "$@" --json --no-color)
  # Labels in the input `flags` replace those of the action.
  if [[ " $* " != *" --label"* ]]; then
    collect_labels
    args+=(${labels[@]+"${labels[@]}"})
  fi
  if [[ $coverage != partial ]]; then args+=(--coverage "$coverage"); fi
  if [[ -n $INPUT_FAIL_ON ]]; then args+=(--fail-on "$INPUT_FAIL_ON"); fi
  if [[ $INPUT_WAIT == true || -n $INPUT_FAIL_ON ]]; then args+=(--wait --wait-timeout "$INPUT_WAIT_TIMEOUT"); fi
  push_code=0
  # The input overrides the environment variable.
  if [[ -n $INPUT_BASE_URL ]]; then export SCANNER_CLOUD_API_BASE_URL=$INPUT_BASE_URL; fi
  # stdout goes to a file, and stderr to the log.
  run_without_commands push_to_file "${args[@]}" -- "${files[@]}" || push_code=$?
  # The labels and the coverage identify the upload, so a push without them would be another one.
  case $push_code in
    0 | 2 | 3 | 4) ;;
    *) run_without_commands print_command "${args[@]}" -- "${files[@]}" ;;
  esac
}

# shellcheck disable=SC2317 # called by run_without_commands
print_command() {
  printf 'To push the files again, use: scanner'
  printf ' %q' "$@"
  echo
}

# Whether a file has a gate that was not evaluated.
has_unevaluated_gate() {
  node -e 'const pushed = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    process.exit(pushed.some(({ gate }) => gate?.result === "not_evaluated") ? 0 : 1)' "$output/push.json" 2>/dev/null
}

# shellcheck disable=SC2317 # called by run_without_commands
push_to_file() { scanner "$@" >"$output/push.json"; }

require_one_of command "$INPUT_COMMAND" directory push
require_one_of coverage "$INPUT_COVERAGE" partial checks account
require_one_of wait "$INPUT_WAIT" true false
INPUT_FAIL_ON=$(tr '[:upper:]' '[:lower:]' <<<"$INPUT_FAIL_ON")
if [[ -n $INPUT_FAIL_ON ]]; then
  require_one_of fail-on "$INPUT_FAIL_ON" unknown informational low medium high critical fatal
fi
require_one_of fail-on-findings "$INPUT_FAIL_ON_FINDINGS" true false
require_one_of fail-on-push "$INPUT_FAIL_ON_PUSH" true false auto
[[ $INPUT_WAIT_TIMEOUT =~ ^[0-9]+$ ]] || usage "The input 'wait-timeout' must be a whole number of seconds."
if [[ $INPUT_FAIL_ON_PUSH == auto ]]; then
  if [[ $INPUT_COMMAND == push ]]; then INPUT_FAIL_ON_PUSH=true; else INPUT_FAIL_ON_PUSH=false; fi
fi

# `read` splits the flags without expanding them. Its nonzero exit code at the end of the input is not an error. The array
# expansions below also support empty arrays under `set -u` in bash 3.2 (macOS).
read -r -d '' -a flags <<<"$INPUT_FLAGS" || true
reject_own_flags ${flags[@]+"${flags[@]}"}
files=()
if [[ $INPUT_COMMAND == push ]]; then
  while read -r line; do
    if [[ -n $line ]]; then files+=("$line"); fi
  done <<<"$INPUT_FILES"
  ((${#files[@]} > 0)) || usage "The input 'files' is empty. List the OCSF files to push, one per line."
elif [[ -n $INPUT_FILES ]]; then
  usage "The input 'files' requires 'command: push'. Set the command, or remove files."
elif [[ $INPUT_COVERAGE != partial ]]; then
  usage "The input 'coverage' requires 'command: push'. Set the command, or remove coverage."
fi

install_scanner
output=$(mktemp -d "$RUNNER_TEMP/sluice-XXXXXX")
scan_code='' push_code='' coverage=$INPUT_COVERAGE
case $INPUT_COMMAND in
  directory)
    if [[ -z ${SCANNER_CLOUD_API_KEY:-} ]]; then
      echo "::warning title=Sluice::SCANNER_CLOUD_API_KEY is not set, so the findings can't be pushed. Pass it to the step with env, from a secret."
    fi
    scan
    if ((${#files[@]} > 0)); then push; fi
    ;;
  push)
    push ${flags[@]+"${flags[@]}"}
    exit_code=$push_code
    ;;
esac

{
  echo "exit-code=$exit_code"
  echo "push-exit-code=$push_code"
  echo "output-directory=$output"
} >>"$GITHUB_OUTPUT"
dry_run=''
if [[ $INPUT_COMMAND == push && " ${flags[*]-} " == *" --dry-run "* ]]; then dry_run=true; fi
SCAN_CODE=$scan_code PUSH_CODE=$push_code DRY_RUN=$dry_run node "$here/summary.mjs" "$output" ${files[@]+"${files[@]}"}

step_code=0
if [[ $push_code == 4 ]]; then
  echo "::error title=Sluice::New, regressed or reopened findings failed the gate (exit code 4). See the job summary."
  step_code=4
  if has_unevaluated_gate; then
    echo "::warning title=Sluice::The gate was not evaluated for some files. See the job summary."
  fi
elif [[ -z $push_code && -n $INPUT_FAIL_ON ]]; then
  echo "::warning title=Sluice::The gate was not evaluated, because nothing was pushed."
elif [[ -n $push_code && $push_code != 0 ]]; then
  text="The push failed with exit code $push_code. See the log for the reason. The files are in $output."
  if [[ -n $INPUT_FAIL_ON && $push_code == 1 ]]; then
    text="The push failed or the gate was not evaluated (exit code 1). See the log for the reason. The files are in $output."
  fi
  if [[ -n $INPUT_FAIL_ON && $push_code != 1 && $push_code != 3 ]]; then
    text="The push failed with exit code $push_code, so the gate was not evaluated. See the log for the reason. The files are in $output."
  fi
  # A scanner that does not know --fail-on exits with 2.
  if [[ $INPUT_FAIL_ON_PUSH == true || (-n $INPUT_FAIL_ON && $push_code == 2) ]]; then
    echo "::error title=Sluice::$text"
    step_code=$push_code
  else
    echo "::warning title=Sluice::$text"
  fi
fi
case $scan_code in
  '' | 0) ;;
  3)
    if [[ $INPUT_FAIL_ON_FINDINGS == true ]]; then
      echo "::error title=Sluice::The scan found failed checks (exit code 3)."
      if [[ $step_code != 4 ]]; then step_code=3; fi
    else
      echo "::notice title=Sluice::The scan found failed checks (exit code 3)."
    fi
    ;;
  *)
    echo "::error title=Sluice::The scan did not complete (exit code $scan_code). See the log for the reason."
    step_code=$scan_code
    ;;
esac
exit "$step_code"
