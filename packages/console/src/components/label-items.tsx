import { DescriptionItem } from './description-list.tsx';

/** The labels of an upload, one item each. A value that is a web address becomes a link. */
export function LabelItems({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  return Object.entries(labels).map(([key, value]) => (
    <DescriptionItem key={key} label={key}>
      {/^https?:\/\//.test(value) && URL.canParse(value) ? (
        <a href={value} rel="noreferrer">
          {value}
        </a>
      ) : (
        value
      )}
    </DescriptionItem>
  ));
}
