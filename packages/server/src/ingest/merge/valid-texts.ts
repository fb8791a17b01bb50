const MAX_FINGERPRINTS = 20_000;

/**
 * Fingerprints of check texts that cause no warnings. These texts are decoded only if they have to be stored. All frames of a
 * thread share them.
 */
export class ValidTexts {
  readonly #fingerprints = new Set<string>();

  has(fingerprint: string): boolean {
    return this.#fingerprints.has(fingerprint);
  }

  add(fingerprint: string): void {
    if (this.#fingerprints.size >= MAX_FINGERPRINTS) this.#fingerprints.clear();
    this.#fingerprints.add(fingerprint);
  }
}
