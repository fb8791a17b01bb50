import { createContext, use } from 'react';
import type { Session } from './session.ts';

interface SessionContextValue {
  readonly session: Session;
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
}

export const SessionContext = createContext<SessionContextValue | undefined>(undefined);

export function useSession(): SessionContextValue {
  const value = use(SessionContext);
  if (value === undefined) throw new Error('there is no <SessionContext> around');
  return value;
}
