import type { Dialect } from '../directory/dialect.ts';
import { checkIdForDialect, textForDialect } from '../directory/dialect-names.ts';
import { ALL_CHECKS } from './all-checks.ts';
import type { Check, EvaluatedResource } from './check.ts';

/** All checks, with vendor-specific IDs, descriptions and resource placeholders. */
export function checksForDialect(dialect: Dialect): readonly Check[] {
  return dialect.name === 'directory'
    ? ALL_CHECKS
    : ALL_CHECKS.map((check) => translateCheck(dialect, check));
}

function translateCheck(dialect: Dialect, check: Check): Check {
  const texts = { ...check, ...check.wording?.[dialect.name] };
  return {
    ...check,
    id: checkIdForDialect(dialect, check.id),
    title: textForDialect(dialect, texts.title),
    description: textForDialect(dialect, texts.description),
    risk: textForDialect(dialect, texts.risk),
    remediation: textForDialect(dialect, texts.remediation),
    notes: textForDialect(dialect, texts.notes),
    evaluate: (context) =>
      check
        .evaluate(context)
        .map((verdict) => ({ ...verdict, resource: translatePlaceholder(dialect, verdict.resource) })),
  };
}

/** Placeholder IDs start with `directory-`, unlike IDs from the API. */
function translatePlaceholder({ name, title }: Dialect, resource: EvaluatedResource): EvaluatedResource {
  if (!resource.id.startsWith('directory-')) return resource;
  return {
    ...resource,
    id: resource.id.replace(/^directory-/, `${name}-`),
    name: resource.name.replace(/^Directory /, `${title} `),
  };
}
