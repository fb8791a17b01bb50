import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import {
  Boxes,
  FileStack,
  Gauge,
  KeyRound,
  ListChecks,
  LogOut,
  Radar,
  ReceiptText,
} from '../components/icons/lucide-icons.ts';
import { Logo } from '../components/logo.tsx';
import { AccessNotice } from '../features/session/components/access-notice.tsx';
import { UploadArea } from '../features/uploads/components/upload-area.tsx';
import { useSession } from '../lib/session-context.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import styles from './shell.module.css';
import { ThemeButton } from './theme-button.tsx';

const LINKS = [
  { to: '/', label: 'Overview', Icon: Gauge },
  { to: '/findings', label: 'Findings', Icon: ListChecks },
  { to: '/scans', label: 'Scans', Icon: Radar },
  { to: '/ingestions', label: 'Uploads', Icon: FileStack },
  { to: '/providers', label: 'Providers', Icon: Boxes },
  { to: '/api-keys', label: 'API keys', Icon: KeyRound },
  { to: '/subscription', label: 'Subscription', Icon: ReceiptText },
] as const;

/** The layout shared by all pages. Also accepts files dropped anywhere on the page. */
export function Shell() {
  const { session } = useSession();
  const main = useFocusOnNavigation();
  const links = useScrollToActiveLink();
  return (
    <UploadArea>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <div className={styles.shell}>
        <header className={styles.side}>
          <div className={styles.brand}>
            <Logo />
            <span>Sluice</span>
          </div>
          <nav ref={links} aria-label="Main" className={styles.links}>
            {LINKS.map(({ to, label, Icon }) => (
              <Link
                key={to}
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className={styles.link}
              >
                <Icon size={18} aria-hidden="true" />
                {label}
              </Link>
            ))}
          </nav>
          <div className={styles.tools}>
            <ThemeButton />
            <Button
              variant="quiet"
              icon={<LogOut size={18} aria-hidden="true" />}
              title="Sign out"
              onClick={() => session.end()}
            >
              <span>Sign out</span>
            </Button>
          </div>
        </header>
        <main id="main" ref={main} tabIndex={-1} className={styles.main}>
          <ConnectionNotice />
          <AccessNotice />
          <Outlet />
        </main>
      </div>
    </UploadArea>
  );
}

/** Moves focus to the main content after navigation, so that screen readers start at the top of the new page. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** Scrolls the active link into view, because the links scroll horizontally on phones. */
function useScrollToActiveLink() {
  const links = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active link depends on the pathname
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return links;
}
