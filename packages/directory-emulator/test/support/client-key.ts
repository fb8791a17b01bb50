import { generateKeyPairSync } from 'node:crypto';

/** A private key (PEM) for all emulators of a test file: to make one takes longer than all else that a start does. */
export const CLIENT_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
