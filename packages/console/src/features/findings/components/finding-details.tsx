import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeltaBadge, SeverityBadge, StatusBadge } from '../../../components/badges.tsx';
import { DescriptionItem, DescriptionList } from '../../../components/description-list.tsx';
import type { FindingDetails as Details } from '../api/get-finding.ts';
import { FindingCheck } from './finding-check.tsx';
import styles from './finding-details.module.css';
import { FindingHistory } from './finding-history.tsx';
import { FindingRecord } from './finding-record.tsx';

/** What stands in the panel of a finding. */
export function FindingDetails({ finding, check, provider, scan }: Details) {
  const { attributes, relationships } = finding;
  const { resource } = attributes;
  const providerId = relationships.provider.data?.id;
  const name = provider?.attributes.alias ?? provider?.attributes.name;
  return (
    <div className={styles.details}>
      <div className={styles.badges}>
        <SeverityBadge severity={attributes.severity} />
        <StatusBadge status={attributes.status} muted={attributes.muted} />
        <DeltaBadge delta={attributes.delta} />
      </div>
      {attributes.status_detail !== null && <p className={styles.words}>{attributes.status_detail}</p>}
      <section aria-label="Resource" className={styles.section}>
        <h3>Resource</h3>
        <DescriptionList>
          <Known label="Name">{resource.name}</Known>
          <Known label="UID">
            {resource.uid !== null && (
              <Link to="/findings" search={{ resource: resource.uid }} title="All findings of this resource">
                <code>{resource.uid}</code>
              </Link>
            )}
          </Known>
          <Known label="Type">{resource.type}</Known>
          <Known label="Service">{attributes.service}</Known>
          <Known label="Region">{attributes.region}</Known>
          <Known label="Account">
            <Link to="/findings" search={{ provider: providerId }} title="All findings of this account">
              {attributes.provider_type} {attributes.account}
            </Link>
            {name && ` (${name})`}
          </Known>
        </DescriptionList>
      </section>
      <FindingCheck attributes={attributes} check={check} />
      <FindingHistory finding={finding} scan={scan} />
      <FindingRecord id={finding.id} ingestion={relationships.ingestion.data?.id ?? ''} />
    </div>
  );
}

/** A line of facts; nothing where the record says nothing. */
function Known({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === null || children === '' || children === false) return null;
  return <DescriptionItem label={label}>{children}</DescriptionItem>;
}
