/** What `--output-formats` takes. */
export const OUTPUT_FORMATS = ['csv', 'json-ocsf', 'html', 'sarif', 'junit'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
