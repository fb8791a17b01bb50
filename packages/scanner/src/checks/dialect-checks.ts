import type { Dialect } from '../directory/dialect.ts';
import { ALL_CHECKS } from './all-checks.ts';
import type { Check, EvaluatedResource } from './check.ts';
import { checkIdIn, textIn } from './dialect-names.ts';

/** All checks, with their ids, texts and placeholders for resources in the words of a dialect. */
export function checksIn(dialect: Dialect): readonly Check[] {
  return dialect.name === 'directory' ? ALL_CHECKS : ALL_CHECKS.map((check) => inWordsOf(dialect, check));
}

function inWordsOf(dialect: Dialect, check: Check): Check {
  const texts = { ...check, ...check.wording?.[dialect.name] };
  return {
    ...check,
    id: checkIdIn(dialect, check.id),
    title: textIn(dialect, texts.title),
    description: textIn(dialect, texts.description),
    risk: textIn(dialect, texts.risk),
    remediation: textIn(dialect, texts.remediation),
    notes: textIn(dialect, texts.notes),
    evaluate: (context) =>
      check
        .evaluate(context)
        .map((verdict) => ({ ...verdict, resource: placeholderIn(dialect, verdict.resource) })),
  };
}

/** Ids of placeholders begin with `directory-`, which no id of an API does. */
function placeholderIn({ name, title }: Dialect, resource: EvaluatedResource): EvaluatedResource {
  if (!resource.id.startsWith('directory-')) return resource;
  return {
    ...resource,
    id: resource.id.replace(/^directory-/, `${name}-`),
    name: resource.name.replace(/^Directory /, `${title} `),
  };
}
