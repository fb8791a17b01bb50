export { createRecordSource, generateFindings, generateRecord } from './generate.ts';
export { DEFAULT_OPTIONS, type GeneratorOptions, OptionError } from './options.ts';
export { FLAWS, type Flaw } from './outcome.ts';
export { PROVIDER_NAMES, type ProviderName } from './providers/provider.ts';
