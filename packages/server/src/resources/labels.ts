import { z } from 'zod';
import { type Labels, label, readLabel, splitLabels } from '../ingest/upload/labels.ts';
import { invalidParameter } from '../jsonapi/errors.ts';
import type { Filter } from '../jsonapi/filters.ts';

/** The schema of the labels of an upload in a response. */
export const labels = z
  .record(z.string(), z.string())
  .meta({ description: 'Labels of the upload, by key. Empty if it has none.' });

/** `filter[label]=key=value` on a column with labels. `noun` names the listed resources. */
export function labelFilter(noun: string, column: string): Filter {
  return {
    description: `Returns ${noun} whose upload has this label, in the form \`key=value\`. If you separate several labels with commas, the upload must have all of them.`,
    schema: label,
    isList: false,
    read: (text, parameter) => {
      const values = JSON.stringify(readLabels(text, parameter));
      return { sql: (bind) => `${column} @> ${bind(values)}::jsonb` };
    },
  };
}

/** Throws an ApiError (400) for an invalid or repeated label. */
function readLabels(text: string, parameter: string): Labels {
  const values = new Map<string, string>();
  for (const one of splitLabels(text)) {
    const read = readLabel(one);
    if (read.fault !== undefined) throw invalidParameter(parameter, read.fault);
    if (values.has(read.key))
      throw invalidParameter(parameter, `The key '${read.key}' appears more than once.`);
    values.set(read.key, read.value);
  }
  return Object.fromEntries(values);
}
