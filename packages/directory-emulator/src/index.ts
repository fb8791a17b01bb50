export type { DpopMode } from './authorization/authorization-server.ts';
export type { Fault } from './faults.ts';
export type { AdminRole, DialectName, Emulator, EmulatorOptions, RateLimit } from './options.ts';
export { largeOrganization } from './organization/large-organization.ts';
export type { Organization } from './organization/organization.ts';
export {
  ORGANIZATION_NAMES,
  type OrganizationName,
  readOrganization,
} from './organization/read-organization.ts';
export type { ApiRequest, ProofOutcome, TokenRequest } from './request-log.ts';
export { startEmulator } from './start-emulator.ts';
