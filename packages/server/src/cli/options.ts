import { Argument, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isPermission, PERMISSIONS, type Permission } from '../auth/permissions.ts';
import { isUuid } from '../jsonapi/uuid.ts';

// Options and arguments that several commands share. The parsers throw an InvalidArgumentError, which leads to exit
// code 2.

/** The option `--json`, which all commands except `serve` accept. */
export const jsonOption = () => new Option('--json', 'print the result as one JSON value');

/** The required option `--tenant`. */
export const tenantOption = () =>
  new Option('--tenant <id>', 'ID of the tenant').makeOptionMandatory().argParser(parseId);

/** An argument that must be a UUID. */
export const idArgument = <Name extends string>(name: Name, description: string) =>
  new Argument(name, description).argParser(parseId);

export const SUBSCRIPTIONS = ['active', 'none'] as const;

export const PERMISSIONS_HELP = `\nPermissions: ${PERMISSIONS.join(', ')}`;

/** Trims a text and rejects an empty one. */
export function parseText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('It must not be empty.');
  return trimmed;
}

/** Parses a UUID. */
function parseId(text: string): string {
  const id = text.trim().toLowerCase();
  if (!isUuid(id)) throw new InvalidArgumentError('Use the ID (a UUID), not the name.');
  return id;
}

/** Checks the form of an email address. */
export function parseEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new InvalidArgumentError('Use an email address such as name@example.com.');
}

/** Parses a list of permissions that are separated by commas. */
export function parsePermissions(text: string): Permission[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.map((name) => {
    if (isPermission(name)) return name;
    throw new InvalidArgumentError(
      `'${name}' is not a permission. The permissions are ${PERMISSIONS.join(', ')}.`,
    );
  });
}

/**
 * A date without a time means midnight UTC. A time requires a time zone, so that its meaning does not depend on the
 * machine.
 */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Parses a date or time in ISO 8601 format. */
export function parseTime(text: string): Date {
  const day = ISO_TIME.exec(text)?.[1];
  // `Date` would convert February 30 to March 2.
  const isValidDay = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) === true;
  const time = new Date(isValidDay ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('Use an ISO 8601 time with a time zone, such as 2027-01-31T00:00:00Z.');
}
