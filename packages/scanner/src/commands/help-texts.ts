/** What `scanner directory --help` says after its flags. */
export const DIRECTORY_HELP = `
Environment:
  DIRECTORY_ORG_DOMAIN         domain of the organization, such as acme.directory.com
  DIRECTORY_ORG_URL            its whole origin instead, where it is another one than https://DOMAIN
  DIRECTORY_CLIENT_ID          client id of the service app
  DIRECTORY_PRIVATE_KEY        its private key: RSA, as PEM or JWK
  DIRECTORY_PRIVATE_KEY_FILE   a file with the key instead
  DIRECTORY_SCOPES             scopes to ask for, separated by spaces or commas
  DIRECTORY_DIALECT            directory (default) or okta
  LOG_LEVEL                    as --log-level, which wins
  NO_COLOR                     anything in it: no colours

Exit codes:
  0    the scan is done and nothing failed, or all that failed is muted
  1    the scan could not be done, or not in full
  2    the command line, or a file named on it, is wrong
  3    the scan is done and something failed that is not muted, also where --status hides it
  130  stopped with Ctrl-C

Examples:
  All checks, results in output/:
    scanner directory
  The grave ones of two services, for a pipeline that reads SARIF:
    scanner directory -s signon,application --severity critical high -M sarif -o results
  Only what failed, on the screen:
    scanner directory --status FAIL --verbose
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
  Limits of your own (config.yaml; the defaults are those of the STIG):
    directory:
      directory_max_session_idle_minutes: 10
      directory_dod_approved_ca_issuer_patterns: ["O=Acme PKI"]

How a service app is set up: docs/directory-setup.md
`;

/** What `scanner --help` says after its commands. */
export const PROGRAM_HELP = `
Scan an organization:   scanner directory
See what is checked:    scanner directory --list-checks
Everything it takes:    scanner directory --help
`;
