import type { Armed, FaultPoint } from '../support/fault-point.ts';
import type { Fault, FaultProxy, S3Request } from '../support/fault-proxy.ts';

/** Maximum attempts of the S3 client per request. */
const ATTEMPTS = 5;

/** The fault to inject into an S3 request, and whether the retries also fail until the client gives up. */
export interface RequestFault {
  readonly fault: Fault;
  readonly isLasting: boolean;
}

/** Makes the n-th request to S3 fail. */
export function failingRequests(proxy: FaultProxy, requestFault: () => RequestFault): FaultPoint {
  let armedAt = 0;
  let calls = 0;
  let failed: string | undefined;
  let failing: { readonly name: string; attempts: number } | undefined;
  const nameOf = ({ operation, path }: S3Request) => `${operation} ${path}`;
  return {
    arm: async (n) => {
      [armedAt, calls, failed, failing] = [n, 0, undefined, undefined];
      proxy.rule = (request) => {
        const { fault, isLasting } = requestFault();
        if (++calls === armedAt) {
          failed = `${request.operation} (${JSON.stringify(fault)})`;
          failing = { name: nameOf(request), attempts: isLasting ? ATTEMPTS : 1 };
        }
        if (failing?.name !== nameOf(request) || failing.attempts === 0) return undefined;
        failing.attempts--;
        return fault;
      };
    },
    disarm: async (): Promise<Armed> => {
      proxy.rule = () => undefined;
      return { calls, failed };
    },
  };
}
