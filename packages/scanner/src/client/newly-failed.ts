import { z } from 'zod';
import { FINDING_SEVERITIES, type FindingSeverity } from './finding-changes.ts';
import { PushError } from './push-error.ts';
import { readResponse } from './response.ts';
import { nameOf, type Service, type ServiceRequest } from './service.ts';

/** A finding that an upload made fail, as it is now. */
export interface NewlyFailedFinding {
  readonly id: string;
  readonly severity: FindingSeverity;
  readonly checkId: string;
  readonly checkTitle: string | null;
  /** The name of the resource, or its uid if it has no name. */
  readonly resource: string | null;
  readonly account: string;
}

export interface NewlyFailedOptions {
  /** Default: all severities. */
  readonly severities?: readonly FindingSeverity[] | undefined;
  /** Default: 10. */
  readonly limit?: number | undefined;
}

/** The changes that a failed finding can have if it is newly failed, as in the names of the filters. */
const CHANGES = ['new', 'regressed', 'reopened'] as const;

const text = z.string().nullish();

const findingsDocument = z.object({
  data: z.array(
    z
      .object({
        id: z.string().min(1),
        attributes: z.object({
          severity: z.enum(FINDING_SEVERITIES),
          check_id: z.string(),
          check_title: text,
          resource: z.object({ name: text, uid: text }),
          account: z.string(),
        }),
      })
      .transform(
        ({ id, attributes: { severity, check_id, check_title, resource, account } }): NewlyFailedFinding => ({
          id,
          severity,
          checkId: check_id,
          checkTitle: check_title ?? null,
          resource: resource.name || resource.uid || null,
          account,
        }),
      ),
  ),
});

/**
 * Lists the worst findings that a job made fail and that still fail, with at most three requests. Throws a PushError;
 * with the code `permission_denied` if the key does not have the permission `read_findings`.
 */
export async function listNewlyFailed(
  service: Service,
  id: string,
  { severities = FINDING_SEVERITIES, limit = 10 }: NewlyFailedOptions,
): Promise<readonly NewlyFailedFinding[]> {
  const found: NewlyFailedFinding[] = [];
  for (const change of CHANGES) {
    const query = new URLSearchParams({
      [`filter[${change}_in]`]: id,
      'filter[status]': 'FAIL',
      'filter[muted]': 'false',
      'filter[severity__in]': severities.join(','),
      sort: '-severity',
      'page[size]': String(limit),
    });
    const request: ServiceRequest = { method: 'GET', path: `/findings?${query}` };
    const response = await service.send(request);
    // A key that is restricted to other permissions gets a 401.
    if (response.status === 401 || response.status === 403)
      throw new PushError(
        'permission_denied',
        `the API key does not have the permission read_findings (${response.status})`,
        { status: response.status },
      );
    found.push(...readResponse(response, { request: nameOf(request), schema: findingsDocument }).data);
  }
  return found.sort(compareNewlyFailed).slice(0, limit);
}

/** The most severe finding first; then by check, account and resource, so that the order is always the same. */
export function compareNewlyFailed(one: NewlyFailedFinding, other: NewlyFailedFinding): number {
  const rank = ({ severity }: NewlyFailedFinding) => FINDING_SEVERITIES.indexOf(severity);
  return (
    rank(other) - rank(one) ||
    compare(one.checkId, other.checkId) ||
    compare(one.account, other.account) ||
    compare(one.resource ?? '', other.resource ?? '') ||
    compare(one.id, other.id)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
