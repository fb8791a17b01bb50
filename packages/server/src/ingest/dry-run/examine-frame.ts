import { derivedId } from '../../lib/derived-id.ts';
import { CoverageScopes } from '../merge/coverage-scopes.ts';
import { FrameProviders, findProviders } from '../merge/ensure-providers.ts';
import { FrameReferences } from '../merge/frame-references.ts';
import { FrameRows, type RowWriter } from '../merge/frame-rows.ts';
import type { FrameJob } from '../worker/claim.ts';
import { finishFrame, type JobProblem } from '../worker/finish-frame.ts';
import type { FrameEnd, FrameWatch } from '../worker/frame-watch.ts';
import type { FrameContext } from '../worker/process-frame.ts';
import { readFrame } from '../worker/read-frame.ts';
import type { ReadRecord } from '../worker/read-records.ts';
import { duplicateWarnings, omissionWarning } from '../worker/record-warnings.ts';
import { findCheckKeys } from './check-keys.ts';
import { type NewAccount, storePart } from './dry-run-parts.ts';
import { findPriorStates } from './prior-states.ts';

/** No row is sent to PostgreSQL. */
const NO_WRITER: RowWriter = { begin: () => undefined, send: async () => [] };
/** A dry run adds no records to scans. */
const NO_SCAN = '';

/**
 * Examines a claimed frame of a dry run in the open transaction: reads and validates its records, and stores what they
 * would change until the job ends. Changes no other data. The caller commits.
 */
export async function examineFrame(
  context: FrameContext,
  frame: FrameJob,
  watch: FrameWatch,
): Promise<FrameEnd> {
  const { work, limits } = context;
  const providers = new FrameProviders(findProviders, work, frame.tenantId);
  const references = new FrameReferences(false);
  const rows = new FrameRows(NO_WRITER, references);
  const scopes = new CoverageScopes(frame.coverage, references);
  const newAccounts = new Map<string, NewAccount>();
  const newProviderId = (account: NewAccount) => {
    // No finding has an id that is derived from this one.
    const id = derivedId(account.providerType, account.account);
    if (!newAccounts.has(id)) newAccounts.set(id, account);
    return id;
  };
  const omissions: JobProblem[] = [];
  const accept = async (accepted: readonly ReadRecord[]) => {
    await providers.find(accepted.map(({ finding }) => finding));
    for (const record of accepted) {
      const { finding } = record;
      const providerId = providers.idOf(finding) ?? newProviderId(finding);
      const before = references.omitted;
      rows.add(providerId, NO_SCAN, record);
      scopes.add(providerId, finding);
      if (references.omitted > before)
        omissions.push(omissionWarning(frame, record, references.omitted - before));
    }
  };
  const all = { from: 0, to: frame.records, unstorable: new Map<number, string>() };
  const { parser, ...records } = await readFrame(context, frame, all, watch, accept);
  parser.release();
  await watch.step('merge', async () => {
    if (frame.coverage === 'checks') await findCheckKeys(work, frame.tenantId, references.checks);
    await scopes.store(work, frame);
    const priorStates = await findPriorStates(work, frame, rows);
    await storePart(work, frame, { rows, priorStates, newAccounts: [...newAccounts.values()] });
    const duplicates = rows.duplicates.map((duplicate) => ({ ...duplicate, frame: frame.number }));
    for (const warning of [...omissions, ...(await duplicateWarnings(work, frame, duplicates))])
      records.warnings.add(warning);
  });
  const outcome = { records: frame.records, givenUpAs: null, ...records };
  const endedJob = await watch.step('finish', () => finishFrame(work, frame, outcome, limits));
  return { result: 'processed', records: outcome.records, invalid: outcome.errors.counts, endedJob };
}
