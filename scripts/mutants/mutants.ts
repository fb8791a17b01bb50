import { CONSOLE_MUTANTS } from './console.ts';
import { DIRECTORY_EMULATOR_MUTANTS } from './directory-emulator.ts';
import { FINDINGS_GENERATOR_MUTANTS } from './findings-generator.ts';
import { OCSF_MUTANTS } from './ocsf.ts';
import { SCANNER_MUTANTS } from './scanner.ts';
import { SERVER_API_MUTANTS } from './server-api.ts';
import { SERVER_CHANGES_MUTANTS } from './server-changes.ts';
import { SERVER_DURABILITY_MUTANTS } from './server-durability.ts';
import { SERVER_INGESTION_MUTANTS } from './server-ingestion.ts';
import { SERVER_UPLOADS_MUTANTS } from './server-uploads.ts';

export const MUTANTS = [
  ...OCSF_MUTANTS,
  ...SERVER_DURABILITY_MUTANTS,
  ...SERVER_UPLOADS_MUTANTS,
  ...SERVER_INGESTION_MUTANTS,
  ...SERVER_CHANGES_MUTANTS,
  ...SERVER_API_MUTANTS,
  ...SCANNER_MUTANTS,
  ...DIRECTORY_EMULATOR_MUTANTS,
  ...CONSOLE_MUTANTS,
  ...FINDINGS_GENERATOR_MUTANTS,
];
