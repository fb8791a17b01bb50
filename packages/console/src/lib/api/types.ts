import type { components } from './schema.d.ts';

type Schemas = components['schemas'];

export type Ingestion = Schemas['Ingestion'];
export type DryRun = Schemas['DryRun']['attributes'];
export type Finding = Schemas['Finding'];
export type FindingEvent = Schemas['FindingEvent'];
export type FindingSummary = Schemas['FindingSummary']['attributes'];
export type Scan = Schemas['Scan'];
export type Provider = Schemas['Provider'];
export type Check = Schemas['Check'];
export type ApiKey = Schemas['ApiKey'];
export type User = Schemas['User'];
export type Subscription = Schemas['Subscription'];

/** An error or a warning of a job. Only warnings have a record count. */
export interface IngestionProblem {
  readonly id: string;
  readonly attributes: Readonly<
    Schemas['IngestionErrorAttributes'] & Partial<Pick<Schemas['IngestionWarningAttributes'], 'record_count'>>
  >;
}

export type Severity = Finding['attributes']['severity'];
export type FindingState = Finding['attributes']['state'];
export type FindingStatus = Finding['attributes']['status'];
export type Delta = Finding['attributes']['delta'];
export type IngestionStatus = Ingestion['attributes']['status'];

/** Most severe first. */
export const SEVERITIES = [
  'fatal',
  'critical',
  'high',
  'medium',
  'low',
  'informational',
  'unknown',
  'other',
] as const satisfies readonly Severity[];

export const FINDING_STATES = ['open', 'resolved'] as const satisfies readonly FindingState[];

export const FINDING_STATUSES = ['FAIL', 'MANUAL', 'PASS'] as const satisfies readonly FindingStatus[];

export type Permission = NonNullable<ApiKey['attributes']['permissions']>[number];
