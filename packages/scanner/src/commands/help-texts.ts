/** What `scanner directory --help` says after its flags. */
export const DIRECTORY_HELP = `
Environment:
  DIRECTORY_ORG_DOMAIN         domain of the organization, such as acme.directory.com
  DIRECTORY_ORG_URL            its origin, if it is not https://DOMAIN
  DIRECTORY_CLIENT_ID          client id of the service app
  DIRECTORY_PRIVATE_KEY        its private key: RSA, as PEM or JWK
  DIRECTORY_PRIVATE_KEY_FILE   a file with the key instead
  DIRECTORY_SCOPES             scopes to ask for, separated by spaces or commas
  DIRECTORY_DIALECT            directory or okta (default: okta for domains of Okta, such as acme.okta.com)
  OKTA_ORG_DOMAIN, OKTA_ORG_URL, OKTA_CLIENT_ID, OKTA_PRIVATE_KEY, OKTA_PRIVATE_KEY_FILE, OKTA_SCOPES
                               read when the variable DIRECTORY_... is not set
  SCANNER_CLOUD_API_KEY        API key of the service, for --push-to-cloud; scanner push --help has the rest
  LOG_LEVEL                    as --log-level, which wins
  NO_COLOR                     anything in it: no colors

Exit codes:
  0    the scan is done and nothing failed, or all that failed is muted
  1    the scan could not be done, or not in full
  2    the command line, or a file named on it, is wrong
  3    the scan is done and something failed that is not muted, also where --status hides it
  130  stopped with Ctrl-C
  A push that fails or is skipped changes none of them.

Examples:
  All checks, results in output/:
    scanner directory
  The grave ones of two services, for a pipeline that reads SARIF:
    scanner directory -s signon,application --severity critical high -M sarif -o results
  Only what failed, on the screen:
    scanner directory --status FAIL --verbose
  Scan, push the results, and see what became of them:
    scanner directory --push-to-cloud --wait
  The same for a script:
    scanner directory --push-to-cloud --json | jq '.findings.by_status, .push.ingestion_id'
  Only the CIS Controls, with a table and a CSV:
    scanner directory --compliance CIS-Controls-8.1
  Choose checks once and keep the choice:
    scanner directory --services authenticator --list-checks-json > checks.json
    scanner directory --checks-file checks.json
  Accept what is known (mutes.yaml):
    Mutelist:
      Accounts:
        "*":
          Checks:
            signon_dod_warning_banner_configured:
              Regions: ["*"]
              Resources: ["*"]
              Description: no part of the DoD
  Limits of your own (config.yaml; the defaults are those of the STIG; a looser limit
  fails its requirement in the compliance results):
    directory:
      directory_max_session_idle_minutes: 10
      directory_dod_approved_ca_issuer_patterns: ["O=Acme PKI"]

How a service app is set up: docs/directory-setup.md
`;

/** What `scanner --help` says after its commands. */
export const PROGRAM_HELP = `
Scan an organization:   scanner directory
See what is checked:    scanner directory --list-checks
Push what there is:     scanner push 'output/*.ocsf.json' --wait
Everything they take:   scanner directory --help, scanner push --help
`;

/** What `scanner push --help` says after its flags. */
export const PUSH_HELP = `
Environment:
  SCANNER_CLOUD_API_KEY               the API key; it has no flag: others can see command lines
  SCANNER_CLOUD_API_BASE_URL          the service (default: http://127.0.0.1:8080)
  SCANNER_CLOUD_TIMEOUT_SECONDS       how long nothing may move on a connection (default: 60)
  SCANNER_CLOUD_RETRIES_MAX_ATTEMPTS  how often a request is repeated after 429, 502, 503, 504 and broken
                                      connections, and once after 500; 0 to 10 (default: 4)
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY   the proxy to use, and hosts that need none
  NODE_EXTRA_CA_CERTS                 file with the certificate of your own authority

Exit codes:
  0    the service took every file; with --wait: and every record was good
  1    a file could not be pushed, or the end of its job was not seen
  2    the command line is wrong, or names a file that is not there
  3    with --wait: records, or a file, were bad; the good records are in
  130  stopped with Ctrl-C

The same content is one job, however often it is pushed, compressed or not.

Examples:
  What a pipeline left behind:
    scanner push 'output/*.ocsf.json' --wait
  From another program:
    zcat findings.ocsf.json.gz | scanner push -
  For a script:
    scanner push findings.ocsf.json --wait --json | jq '.[].summary'

What each error means: docs/pipelines.md
`;
