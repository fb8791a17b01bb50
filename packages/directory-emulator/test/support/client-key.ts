import { generateKeyPairSync } from 'node:crypto';

/**
 * A private key (PEM) for all emulators in a test file. Generating a key takes longer than the rest of the emulator
 * startup.
 */
export const CLIENT_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
