import { statusLabel } from '../../../components/badges.tsx';
import type { FindingEvent } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';

/** Describes a change of a finding, such as `Regressed: Pass to Fail`. */
export function describeChange({ attributes, relationships }: FindingEvent): string {
  const { change } = attributes;
  if (change === 'resolved')
    return relationships.ingestion.data === null
      ? 'Resolved by a user'
      : 'Resolved: absent from a complete upload';
  if (change === 'muted' || change === 'unmuted') return capitalize(change);
  const muted = attributes.muted ? ', muted' : '';
  return `${describeStatus(attributes)}${muted}`;
}

function describeStatus({ change, status, previous }: FindingEvent['attributes']): string {
  const now = statusLabel(status);
  if (change === 'new') return `First seen with status ${now}`;
  if (change === 'reopened') return `Reopened with status ${now}`;
  const transition = previous === null ? now : `${statusLabel(previous.status)} to ${now}`;
  return `${capitalize(change.replaceAll('_', ' '))}: ${transition}`;
}
