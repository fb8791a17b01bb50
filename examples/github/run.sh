#!/usr/bin/env bash
# What action.yml runs: install the scanner, scan or not, push, and tell the result. Reads INPUT_* and the variables
# that a runner sets. Ends with the scan's exit code, then with the push's, as far as the inputs let them fail the step.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

usage() {
  echo "::error title=Sluice::$1"
  exit 2
}

one_of() { # NAME VALUE WORD...
  local name=$1 value=$2 word
  shift 2
  for word in "$@"; do [[ $value == "$word" ]] && return; done
  usage "The input $name takes one of: $*. Correct it in the workflow."
}

# npm has no business with the secrets.
npm_without_secrets() {
  env -u SCANNER_CLOUD_API_KEY -u DIRECTORY_PRIVATE_KEY -u DIRECTORY_PRIVATE_KEY_FILE \
    -u OKTA_PRIVATE_KEY -u OKTA_PRIVATE_KEY_FILE npm "$@" --ignore-scripts
}

integrity_of() { # FILE
  node -p 'const bytes = require("node:fs").readFileSync(process.argv[1]);
    "sha512-" + require("node:crypto").createHash("sha512").update(bytes).digest("base64")' "$1"
}

# Installs exactly the tarball whose hash is given: it has its dependencies in it, and nothing else is fetched.
install_scanner() {
  if [[ -z $INPUT_PACKAGE ]]; then
    command -v scanner >/dev/null ||
      usage "There is no scanner on the PATH. Set the input package to the scanner's tarball, which npm run package makes, and integrity to its hash."
    return 0
  fi
  case $INPUT_PACKAGE in
    -*) usage "The input package must not start with a dash." ;;
    https://* | *.tgz | ?*@[0-9]*) ;;
    *) usage "The input package takes the path or https address of a tarball, or NAME@VERSION. Correct it in the workflow." ;;
  esac
  [[ $INPUT_INTEGRITY =~ ^sha512-[A-Za-z0-9+/]{86}==$ ]] ||
    usage "The input integrity takes the hash of the input package, sha512-..., as integrity.txt beside the tarball states it."
  local folder=$RUNNER_TEMP/sluice-scanner file
  mkdir -p "$folder/tarball"
  echo "::group::Install $INPUT_PACKAGE"
  npm_without_secrets pack --loglevel=warn --pack-destination "$folder/tarball" "$INPUT_PACKAGE" ||
    usage "npm could not fetch the input package. Check the path, the address, or the registry and the version."
  file=$(echo "$folder"/tarball/*.tgz)
  [[ $(integrity_of "$file") == "$INPUT_INTEGRITY" ]] ||
    usage "The input package is not the file whose hash is the input integrity; it was not installed. Check where it comes from."
  npm_without_secrets install --prefix "$folder" --offline --no-audit --no-fund "$file" ||
    usage "npm could not install the input package. Give a tarball that npm run package made, which has its dependencies in it."
  echo "::endgroup::"
  PATH=$folder/node_modules/.bin:$PATH
}

# Runs a command whose output may quote what others wrote: a line of it must not become a command to the runner.
run_quoted() {
  local token code=0
  token=$(node -p 'crypto.randomUUID()')
  echo "::stop-commands::$token"
  "$@" </dev/null || code=$?
  echo "::$token::"
  return "$code"
}

scan() {
  local words=(directory ${flags[@]+"${flags[@]}"} --no-banner --no-color)
  words+=(--output-formats json-ocsf --output-directory "$output" --output-filename findings)
  scan_code=0
  run_quoted scanner "${words[@]}" || scan_code=$?
  exit_code=$scan_code
  local file=$output/findings.ocsf.json
  # A file without a record is not pushed: the service would have nothing to do.
  if [[ -f $file ]] && grep -q '{' "$file"; then files=("$file"); fi
}

push() { # FLAG...
  local words=(push "$@" --json --no-color)
  if [[ $INPUT_WAIT == true ]]; then words+=(--wait --wait-timeout "$INPUT_WAIT_TIMEOUT"); fi
  push_code=0
  # The address is ours only where the input names one; the environment's counts otherwise.
  if [[ -n $INPUT_BASE_URL ]]; then export SCANNER_CLOUD_API_BASE_URL=$INPUT_BASE_URL; fi
  # The result goes to a file; what the log shows is what was said on stderr.
  run_quoted push_to_file "${words[@]}" -- "${files[@]}" || push_code=$?
}

# shellcheck disable=SC2317 # run_quoted calls it
push_to_file() { scanner "$@" >"$output/push.json"; }

one_of command "$INPUT_COMMAND" directory push
one_of wait "$INPUT_WAIT" true false
one_of fail-on-findings "$INPUT_FAIL_ON_FINDINGS" true false
one_of fail-on-push "$INPUT_FAIL_ON_PUSH" true false auto
[[ $INPUT_WAIT_TIMEOUT =~ ^[0-9]+$ ]] || usage "The input wait-timeout takes a number of seconds. Correct it in the workflow."
if [[ $INPUT_FAIL_ON_PUSH == auto ]]; then
  if [[ $INPUT_COMMAND == push ]]; then INPUT_FAIL_ON_PUSH=true; else INPUT_FAIL_ON_PUSH=false; fi
fi

# Words, without expansion: read splits and does nothing else. Its end of input is no failure. Below, the empty
# array is spelled so that the bash of macOS, 3.2, takes it under `set -u`.
read -r -d '' -a flags <<<"$INPUT_FLAGS" || true
files=()
if [[ $INPUT_COMMAND == push ]]; then
  while read -r line; do
    if [[ -n $line ]]; then files+=("$line"); fi
  done <<<"$INPUT_FILES"
  ((${#files[@]} > 0)) || usage "The input files is empty; name the OCSF files to push, one per line."
elif [[ -n $INPUT_FILES ]]; then
  usage "The input files belongs to command: push. Set that, or remove files."
fi

install_scanner
output=$(mktemp -d "$RUNNER_TEMP/sluice-XXXXXX")
scan_code='' push_code=''
case $INPUT_COMMAND in
  directory)
    if [[ -z ${SCANNER_CLOUD_API_KEY:-} ]]; then
      echo "::warning title=Sluice::SCANNER_CLOUD_API_KEY is not set, so that the findings cannot be pushed. Give it to the step through env, from a secret."
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
SCAN_CODE=$scan_code PUSH_CODE=$push_code node "$here/summary.mjs" "$output" ${files[@]+"${files[@]}"}

step_code=0
if [[ -n $push_code && $push_code != 0 ]]; then
  text="The push failed (exit code $push_code); the log says why. The files are in $output."
  if [[ $INPUT_FAIL_ON_PUSH == true ]]; then
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
      echo "::error title=Sluice::The scan found something that fails (exit code 3)."
      step_code=3
    else
      echo "::notice title=Sluice::The scan found something that fails (exit code 3)."
    fi
    ;;
  *)
    echo "::error title=Sluice::The scan could not be done in full (exit code $scan_code); the log says why."
    step_code=$scan_code
    ;;
esac
exit "$step_code"
