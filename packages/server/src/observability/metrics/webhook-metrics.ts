import { Counter, type Registry } from 'prom-client';

/** Metrics of the webhook requests of this process. */
export class WebhookMetrics {
  readonly #attempts: Counter<'result'>;
  readonly #disabled: Counter<'reason'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'sluice_webhook_attempts_total',
      help: 'Attempts to send a delivery of a webhook, by result: delivered or failed',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['delivered', 'failed']) this.#attempts.inc({ result }, 0);
    this.#disabled = new Counter({
      name: 'sluice_webhooks_disabled_total',
      help: 'Webhooks that were disabled by the service, by reason: failed (all attempts at a delivery) or gone (status 410)',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of ['failed', 'gone']) this.#disabled.inc({ reason }, 0);
  }

  attempted(result: 'delivered' | 'failed'): void {
    this.#attempts.inc({ result });
  }

  disabled(reason: string): void {
    this.#disabled.inc({ reason });
  }
}
