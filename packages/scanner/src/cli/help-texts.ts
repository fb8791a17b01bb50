/** The end of `scanner --help`. */
export const PROGRAM_HELP = `
Scan an organization:   scanner directory
List the checks:        scanner directory --list-checks
Push existing files:    scanner push 'output/*.ocsf.json' --wait
Ingest a file again:    scanner retry <ingestion-id> --account cluster-1 --wait
Show all options:       scanner directory --help, scanner push --help, scanner retry --help
`;

/** The end of `scanner directory --help`. */
export const DIRECTORY_HELP = `
Environment:
  DIRECTORY_ORG_DOMAIN         organization domain, such as acme.directory.com
  DIRECTORY_ORG_URL            origin of the organization, if it is not https://DOMAIN
  DIRECTORY_CLIENT_ID          client ID of the service app
  DIRECTORY_PRIVATE_KEY        RSA private key of the service app, as PEM or JWK
  DIRECTORY_PRIVATE_KEY_FILE   file with the private key
  DIRECTORY_SCOPES             scopes to request, separated by spaces or commas
  DIRECTORY_DIALECT            directory or okta (default: okta for Okta domains such as acme.okta.com)
  OKTA_ORG_DOMAIN, OKTA_ORG_URL, OKTA_CLIENT_ID, OKTA_PRIVATE_KEY, OKTA_PRIVATE_KEY_FILE, OKTA_SCOPES
                               used if the corresponding DIRECTORY_ variable is not set
  SCANNER_CLOUD_API_KEY        API key for --push-to-cloud; see scanner push --help for more variables
  LOG_LEVEL                    default for --log-level
  NO_COLOR                     disables colors if not empty

Exit codes:
  0    the scan completed without unmuted failed findings
  1    the scan failed or is incomplete
  2    the command line, or a file that it names, is invalid
  3    the scan completed with unmuted failed findings, including those hidden by --status
  4    with --fail-on: the push has new, regressed or reopened findings of this severity or worse
  130  interrupted with Ctrl-C
  A failed or skipped push does not change the exit code.

Examples:
  Run all checks and write the results to output/:
    scanner directory
  Run the critical- and high-severity checks for two services, and write SARIF:
    scanner directory -s signon,application --severity critical high -M sarif -o results
  Print only failed findings:
    scanner directory --status FAIL --verbose
  Scan, push the results and wait for the ingestion result:
    scanner directory --push-to-cloud --wait
  Scan, push the results and fail only if critical or high findings are new:
    scanner directory --push-to-cloud --fail-on high --ignore-exit-code-3
  Scan and push in a script:
    scanner directory --push-to-cloud --json | jq '.findings.by_status, .push.ingestion_id'
  Run only the checks for CIS Controls:
    scanner directory --compliance CIS-Controls-8.1
  Save a check selection and reuse it:
    scanner directory --services authenticator --list-checks-json > checks.json
    scanner directory --checks-file checks.json
  Mute accepted findings (mutes.yaml):
    Mutelist:
      Accounts:
        "*":
          Checks:
            signon_dod_warning_banner_configured:
              Regions: ["*"]
              Resources: ["*"]
              Description: not a DoD organization
  Configure limits (config.yaml). The defaults are the STIG limits. With a less strict
  limit, the requirement fails in the compliance results:
    directory:
      directory_max_session_idle_minutes: 10
      directory_dod_approved_ca_issuer_patterns: ["O=Acme PKI"]

To set up a service app, see docs/directory-setup.md
`;

/** The variables of `scanner push` and `scanner retry`. */
const SERVICE_VARIABLES = `Environment:
  SCANNER_CLOUD_API_KEY               API key (environment only)
  SCANNER_CLOUD_API_BASE_URL          URL of the service (default: http://127.0.0.1:8080)
  SCANNER_CLOUD_TIMEOUT_SECONDS       idle timeout of a connection (default: 60)
  SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS  maximum retries after 429, 502, 503, 504 and lost connections, with
                                      at most one after 500; 0 to 10 (default: 4)
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY   proxy to use, and hosts to contact directly
  NODE_EXTRA_CA_CERTS                 file with additional CA certificates`;

/** The end of `scanner push --help`. */
export const PUSH_HELP = `
${SERVICE_VARIABLES}

Exit codes:
  0    the service accepted every file; with --wait, all records were valid
  1    a file could not be pushed, its job did not finish in time, or --fail-on was not evaluated
  2    the command line is invalid, or names a file that does not exist
  3    with --wait, a file or some of its records were invalid; valid records were ingested
       unless it was a dry run
  4    with --fail-on: a file has new, regressed or reopened findings of this severity or worse
  130  interrupted with Ctrl-C

Pushing the same content again, compressed or not, does not create a new job.

Examples:
  Push the output of a pipeline:
    scanner push 'output/*.ocsf.json' --wait
  Show which findings would change and which accounts would be billed, without ingesting anything:
    scanner push findings.ocsf.json --dry-run
  Push a scan of one account, and resolve its findings that are no longer reported:
    scanner push account.ocsf.json --coverage account
  Push a scan, and fail if it has new, regressed or reopened findings that are critical or high:
    scanner push findings.ocsf.json --fail-on high
  Push from standard input:
    zcat findings.ocsf.json.gz | scanner push -
  Push in a script:
    scanner push findings.ocsf.json --wait --json | jq '.[].summary'

For a list of all errors, see docs/pipelines.md
`;

/** The end of `scanner retry --help`. */
export const RETRY_HELP = `
${SERVICE_VARIABLES}

Exit codes:
  0    the service accepted the retry; with --wait, all records were valid
  1    the service rejected the retry, or the job did not finish in time
  2    the command line is invalid
  3    with --wait, the file or some of its records were invalid; valid records were ingested
  130  interrupted with Ctrl-C

All records are processed again, as a new job. The original job does not change. Its defaults are
not used. Repeating a retry does not create another job.

Example:
  Ingest a Kubernetes file whose records do not specify a provider and an account:
    scanner retry <ingestion-id> --provider kubernetes --account cluster-1 --wait

For a list of all errors, see docs/pipelines.md
`;

/** The end of `scanner completion --help`. */
export const COMPLETION_HELP = `
  bash:  scanner completion bash > ~/.local/share/bash-completion/completions/scanner
  zsh:   scanner completion zsh > "\${fpath[1]}/_scanner"
  fish:  scanner completion fish > ~/.config/fish/completions/scanner.fish
`;
