/** The values of `--output-formats`. */
export const OUTPUT_FORMATS = ['csv', 'json-ocsf', 'html', 'sarif', 'junit'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
