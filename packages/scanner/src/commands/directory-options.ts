import { type Command, InvalidArgumentError, Option } from 'commander';
import { SEVERITIES } from '../checks/severity-levels.ts';
import { OUTPUT_FORMATS } from '../outputs/output-formats.ts';
import { STATUSES } from '../selection/known-values.ts';
import { printingOptions } from './printing-options.ts';
import { waitOptions } from './push-options.ts';

const LISTS = [
  'list-checks',
  'list-checks-json',
  'list-services',
  'list-categories',
  'list-compliance',
] as const;

/** Puts the flags of `scanner directory` onto a command, in the groups in which `--help` shows them. */
export function addDirectoryOptions(command: Command): Command {
  for (const [group, options] of Object.entries(optionGroups())) {
    for (const option of options) command.addOption(option.helpGroup(`${group}:`));
  }
  return command;
}

function optionGroups(): Readonly<Record<string, readonly Option[]>> {
  return {
    'What is scanned (all filters together; lists separated by spaces or commas)': [
      new Option('-c, --checks <check...>', 'only these checks'),
      new Option('-C, --checks-file <file>', 'only the checks of this file: {"directory": ["CHECK", ...]}'),
      new Option('-s, --services <service...>', 'only checks of these services'),
      new Option('--severity <severity...>', `only checks of these severities: ${SEVERITIES.join(', ')}`),
      new Option('--categories <category...>', 'only checks of these categories'),
      new Option(
        '--compliance <framework...>',
        'only checks of these frameworks, with a table and a CSV of each (default: all frameworks)',
      ),
      new Option('-e, --excluded-checks <check...>', 'not these checks'),
      new Option('--excluded-services <service...>', 'no checks of these services'),
    ],
    'What there is to choose from (needs no credentials)': [
      list('-l, --list-checks', 'the checks that the other flags leave'),
      list('--list-checks-json', 'the same as a file for --checks-file'),
      list('--list-services', 'the services'),
      list('--list-categories', 'the categories'),
      list('--list-compliance', 'the compliance frameworks'),
    ],
    Results: [
      new Option('--status <status...>', `only these findings in files and lines: ${STATUSES.join(', ')}`),
      new Option('-M, --output-formats <format...>', `file formats: ${OUTPUT_FORMATS.join(', ')}`).default(
        ['csv', 'json-ocsf', 'html'],
        'csv json-ocsf html',
      ),
      new Option('-o, --output-directory <folder>', 'where the files go; made if need be').default('output'),
      new Option(
        '-F, --output-filename <name>',
        'their name without extension (default: sluice-output-DOMAIN-TIME)',
      ),
      new Option(
        '-w, --mutelist-file <file>',
        'YAML of findings that are accepted; they stay, marked as muted',
      ),
      new Option('--config-file <file>', 'YAML with limits of your own, in a section directory:'),
      new Option('-z, --ignore-exit-code-3', 'end with 0 although something failed'),
    ],
    'What is printed': [
      new Option('-b, --no-banner', 'no banner'),
      new Option('--verbose', 'every finding on a line of its own'),
      new Option(
        '--json',
        'one JSON document on stdout with files, counts, requests and the result of the push, and nothing else',
      ).conflicts(['verbose', ...LISTS.map((name) => new Option(`--${name}`).attributeName())]),
      ...printingOptions(),
    ],
    'Pushing to the service (the API key has no flag: SCANNER_CLOUD_API_KEY)': [
      new Option('--push-to-cloud', 'upload the OCSF results when the scan is done'),
      ...waitOptions(),
    ],
    'Signing in (the private key has no flag: others can see command lines)': [
      new Option('--directory-org-domain <domain>', 'domain of the organization (env: DIRECTORY_ORG_DOMAIN)'),
      new Option('--directory-client-id <id>', 'client id of the service app (env: DIRECTORY_CLIENT_ID)'),
      new Option(
        '--directory-scopes <scope...>',
        'scopes to ask for (default: all ten; env: DIRECTORY_SCOPES)',
      ),
      new Option(
        '--dialect <dialect>',
        'whose names the API uses: directory, okta (default: that of the domain; env: DIRECTORY_DIALECT)',
      ),
    ],
    'Reading politely': [
      new Option(
        '--directory-requests-per-second <number>',
        'rate of all requests together; 0 is without limit (default: 4)',
      ).argParser(requestRate),
      new Option(
        '--directory-retries-max-attempts <number>',
        'how often a request is repeated, 0 to 10 (default: 5)',
      ).argParser(retries),
    ],
  };
}

function list(flags: string, description: string): Option {
  const option = new Option(flags, description);
  const name = option.name();
  const others = LISTS.filter((other) => other !== name);
  return option.conflicts(others.map((other) => new Option(`--${other}`).attributeName()));
}

function requestRate(text: string): number {
  const rate = Number(text);
  if (text.trim() !== '' && (rate === 0 || (rate >= 0.1 && rate <= 100))) return rate;
  throw new InvalidArgumentError('It must be 0 or a number from 0.1 to 100.');
}

function retries(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 10) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 10.');
}
