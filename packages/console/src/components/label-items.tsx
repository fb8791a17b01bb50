import { Link } from '@tanstack/react-router';
import { capitalize } from '../lib/capitalize.ts';
import { parseLabel } from '../lib/search-values.ts';
import { buttonClass } from './button.tsx';
import { DescriptionItem } from './description-list.tsx';
import { ListFilter } from './icons/lucide-icons.ts';
import styles from './label-items.module.css';

interface LabelItemsProps {
  readonly labels: Readonly<Record<string, string>>;
  /** The resources to which the labels link. */
  readonly noun: 'uploads' | 'scans';
}

/**
 * The labels of an upload, one item each, with links to all uploads or scans with the label. A value that is a web
 * address becomes a link.
 */
export function LabelItems({ labels, noun }: LabelItemsProps) {
  return Object.entries(labels).map(([key, value]) => (
    <DescriptionItem key={key} label={key}>
      <span className={styles.value}>
        {/^https?:\/\//.test(value) && URL.canParse(value) ? (
          <a href={value} rel="noreferrer" className={styles.text}>
            {value}
          </a>
        ) : (
          <span className={styles.text}>{value}</span>
        )}
        <FilterLink label={parseLabel(`${key}=${value}`)} noun={noun} />
      </span>
    </DescriptionItem>
  ));
}

interface FilterLinkProps extends Pick<LabelItemsProps, 'noun'> {
  /** A label `key=value`, or `undefined` if no filter matches it. */
  readonly label: string | undefined;
}

function FilterLink({ label, noun }: FilterLinkProps) {
  if (label === undefined) return null;
  const name = `${capitalize(noun)} with the label ${label}`;
  return (
    <Link
      to={noun === 'uploads' ? '/ingestions' : '/scans'}
      search={{ label }}
      aria-label={name}
      title={name}
      className={`${buttonClass('quiet')} ${styles.link}`}
    >
      <ListFilter size={16} aria-hidden="true" />
    </Link>
  );
}
