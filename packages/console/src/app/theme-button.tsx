import { useSyncExternalStore } from 'react';
import { Button } from '../components/button.tsx';
import { Monitor, Moon, Sun } from '../components/icons/lucide-icons.ts';
import { chooseTheme, currentTheme, THEMES, watchTheme } from '../lib/theme.ts';

const OPTIONS = {
  system: { label: 'Theme: system', Icon: Monitor },
  light: { label: 'Theme: light', Icon: Sun },
  dark: { label: 'Theme: dark', Icon: Moon },
} as const;

/** Shows the current theme and switches to the next theme. */
export function ThemeButton() {
  const theme = useSyncExternalStore(watchTheme, currentTheme);
  const { label, Icon } = OPTIONS[theme];
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? theme;
  return (
    <Button
      variant="quiet"
      icon={<Icon size={18} aria-hidden="true" />}
      title={`Switch to ${next} theme`}
      onClick={() => chooseTheme(next)}
    >
      <span>{label}</span>
    </Button>
  );
}
