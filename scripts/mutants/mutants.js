import { CONSOLE_MUTANTS } from './console.js';
import { DIRECTORY_EMULATOR_MUTANTS } from './directory-emulator.js';
import { FINDINGS_GENERATOR_MUTANTS } from './findings-generator.js';
import { OCSF_MUTANTS } from './ocsf.js';
import { SCANNER_MUTANTS } from './scanner.js';
import { SERVER_API_MUTANTS } from './server-api.js';
import { SERVER_DURABILITY_MUTANTS } from './server-durability.js';
import { SERVER_INGESTION_MUTANTS } from './server-ingestion.js';

export const MUTANTS = [
  ...OCSF_MUTANTS,
  ...SERVER_DURABILITY_MUTANTS,
  ...SERVER_INGESTION_MUTANTS,
  ...SERVER_API_MUTANTS,
  ...SCANNER_MUTANTS,
  ...DIRECTORY_EMULATOR_MUTANTS,
  ...CONSOLE_MUTANTS,
  ...FINDINGS_GENERATOR_MUTANTS,
];
