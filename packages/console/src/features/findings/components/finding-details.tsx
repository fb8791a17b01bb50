import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeltaBadge, SeverityBadge, StateBadge, StatusBadge } from '../../../components/badges.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import { providerTypeLabel } from '../../../lib/provider-type-label.ts';
import type { FindingDetails as Details } from '../api/get-finding.ts';
import { FindingCheck } from './finding-check.tsx';
import styles from './finding-details.module.css';
import { FindingHistory } from './finding-history.tsx';
import { FindingRecord } from './finding-record.tsx';

/** The content of the finding panel. */
export function FindingDetails({ finding, check, provider }: Details) {
  const { attributes, relationships } = finding;
  const { resource } = attributes;
  const providerId = relationships.provider.data?.id;
  const name = provider?.attributes.alias ?? provider?.attributes.name;
  return (
    <div className={styles.details}>
      <div className={styles.badges}>
        <SeverityBadge severity={attributes.severity} />
        <StatusBadge status={attributes.status} muted={attributes.muted} />
        <StateBadge state={attributes.state} />
        <DeltaBadge delta={attributes.delta} />
      </div>
      {attributes.status_detail !== null && <p className={styles.text}>{attributes.status_detail}</p>}
      <section aria-label="Resource" className={styles.section}>
        <h3>Resource</h3>
        <DescriptionList>
          <OptionalItem label="Name">{resource.name}</OptionalItem>
          <OptionalItem label="UID">
            {resource.uid !== null && (
              <Link
                to="/findings"
                search={{ resource: resource.uid }}
                title="View all findings for this resource"
              >
                <code>{resource.uid}</code>
              </Link>
            )}
          </OptionalItem>
          <OptionalItem label="Type">{resource.type}</OptionalItem>
          <OptionalItem label="Service">{attributes.service}</OptionalItem>
          <OptionalItem label="Region">{attributes.region}</OptionalItem>
          <OptionalItem label="Account">
            <Link to="/findings" search={{ provider: providerId }} title="View all findings in this account">
              {providerTypeLabel(attributes.provider_type)} {attributes.account}
            </Link>
            {name && ` (${name})`}
          </OptionalItem>
        </DescriptionList>
      </section>
      <FindingCheck attributes={attributes} check={check} />
      <FindingHistory finding={finding} />
      <FindingRecord id={finding.id} ingestion={relationships.ingestion.data?.id ?? ''} />
    </div>
  );
}

/** A description list item that is omitted if its value is missing. */
function OptionalItem({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === null || children === '' || children === false) return null;
  return <DescriptionItem label={label}>{children}</DescriptionItem>;
}
