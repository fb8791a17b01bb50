import { aws } from './aws.ts';
import { azure } from './azure.ts';
import { gcp } from './gcp.ts';
import { kubernetes } from './kubernetes.ts';
import { okta } from './okta.ts';
import type { Provider, ProviderName } from './provider.ts';

export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = { aws, azure, gcp, kubernetes, okta };
