import { Link } from '@tanstack/react-router';
import { severityLabel } from '../../../components/badges.tsx';
import { Card } from '../../../components/card.tsx';
import { numeric, Table } from '../../../components/table.tsx';
import { type Ingestion, SEVERITIES, type Severity } from '../../../lib/api/types.ts';
import { capitalize } from '../../../lib/capitalize.ts';
import {
  CHANGES,
  type Change,
  changedFindingsSearch,
  type SeverityCounts,
  sumCounts,
} from '../../../lib/finding-changes.ts';
import { formatCount, pluralize } from '../../../lib/format-number.ts';

interface Row {
  readonly label: string;
  readonly counts: SeverityCounts;
  /** `undefined` if no filter selects the findings. */
  readonly change?: Change;
}

interface ChangesCardProps {
  readonly title: string;
  /** Null if an earlier release accepted the upload. */
  readonly findings: Ingestion['meta']['findings'];
  /** The upload whose findings are linked. */
  readonly id?: string;
}

/** How an upload changes findings, by change and severity. Renders nothing if this is unknown or it has no findings. */
export function ChangesCard({ title, findings, id }: ChangesCardProps) {
  if (findings === null) return null;
  const changes = CHANGES.map((change) => ({ label: capitalize(change), counts: findings[change], change }));
  const rows = changes.filter(({ counts }) => sumCounts(counts) > 0);
  if (rows.length === 0) return null;
  const severities = SEVERITIES.filter((severity) => rows.some(({ counts }) => counts[severity] > 0));
  const newlyFailing = { label: 'Newly failing', counts: findings.newly_failed };
  return (
    <Card title={title} flush>
      <Table label="Findings by change and severity">
        <thead>
          <tr>
            <th scope="col">Change</th>
            {severities.map((severity) => (
              <th key={severity} scope="col" className={numeric}>
                {severityLabel(severity)}
              </th>
            ))}
            <th scope="col" className={numeric}>
              All
            </th>
          </tr>
        </thead>
        <tbody>
          {[newlyFailing, ...rows].map((row) => (
            <ChangeRow key={row.label} id={id} severities={severities} {...row} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

interface ChangeRowProps extends Row {
  readonly id: string | undefined;
  readonly severities: readonly Severity[];
}

function ChangeRow({ id, severities, label, counts, change }: ChangeRowProps) {
  const total = sumCounts(counts);
  return (
    <tr>
      <th scope="row">{label}</th>
      {severities.map((severity) => (
        <td key={severity} className={numeric}>
          {formatCount(counts[severity])}
        </td>
      ))}
      <td className={numeric}>
        {change === undefined || id === undefined ? (
          formatCount(total)
        ) : (
          <Link
            to="/findings"
            search={changedFindingsSearch(change, id)}
            aria-label={pluralize(total, `${change} finding`)}
          >
            {formatCount(total)}
          </Link>
        )}
      </td>
    </tr>
  );
}
