import { z } from 'zod';
import { type FindingChanges, findingChanges } from './finding-changes.ts';
import { PushError } from './push-error.ts';
import { errorsOf, readResponse, type ServiceResponse } from './response.ts';
import { INGESTIONS, nameOf, type Service, type ServiceRequest } from './service.ts';

/** What an upload would do, compared with the state of the service during the dry run. */
export interface DryRunReport {
  readonly findings: FindingChanges;
  readonly newProviders: NewProviders;
  /** The number of errors by code. */
  readonly errors: Readonly<Record<string, number>>;
  /** The number of warnings by code. */
  readonly warnings: Readonly<Record<string, number>>;
}

/** The accounts that the upload would add to the billed providers. */
export interface NewProviders {
  readonly total: number;
  /** The first 1,000 of them by type and account. */
  readonly listed: readonly NewProvider[];
}

export interface NewProvider {
  readonly type: string;
  readonly account: string;
  /** `null` if no record names the account. */
  readonly name: string | null;
}

const count = z.number().int().nonnegative();
const countsByCode = z.record(z.string(), count);

const dryRunDocument = z.object({
  data: z.object({
    attributes: z
      .object({
        findings: findingChanges,
        new_providers: z.object({
          total: count,
          listed: z.array(z.object({ type: z.string(), account: z.string(), name: z.string().nullable() })),
        }),
        errors: countsByCode,
        warnings: countsByCode,
      })
      .transform(({ new_providers: newProviders, ...report }): DryRunReport => ({ ...report, newProviders })),
  }),
});

/** Reads the report of an ended dry run. Throws a PushError. */
export async function readDryRun(service: Service, id: string): Promise<DryRunReport> {
  const path = `${INGESTIONS}/${encodeURIComponent(id)}/dry-run`;
  const request: ServiceRequest = { method: 'GET', path };
  const response = await service.send(request);
  return readResponse(response, { request: nameOf(request), schema: dryRunDocument }).data.attributes;
}

/** Throws a PushError if the service rejected the form field of a dry run because it does not know it. */
export function assertSupportsDryRuns(response: ServiceResponse): void {
  if (response.status !== 400) return;
  const isUnknown = errorsOf(response).some(
    // The names of the supported fields follow in the second sentence.
    ({ code, detail = '' }) => code === 'unexpected_part' && /^[^.]*'dry_run'/.test(detail),
  );
  if (isUnknown)
    throw new PushError('refused', 'the service does not support dry runs (400); upgrade the service', {
      status: response.status,
    });
}
