import { createContext, use } from 'react';
import type { Session } from './session.ts';

interface SessionContextValue {
  readonly session: Session;
  /** The URL of the service, without a trailing slash. */
  readonly baseUrl: string;
}

export const SessionContext = createContext<SessionContextValue | undefined>(undefined);

export function useSession(): SessionContextValue {
  const value = use(SessionContext);
  if (value === undefined) throw new Error('useSession must be used inside <SessionContext>');
  return value;
}
