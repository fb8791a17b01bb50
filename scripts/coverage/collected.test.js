// Runs nothing: gives the runner the coverage that another run has collected.
import { cpSync } from 'node:fs';

cpSync(process.env.COLLECTED_COVERAGE, process.env.NODE_V8_COVERAGE, { recursive: true });
