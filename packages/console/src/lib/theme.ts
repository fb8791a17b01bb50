/** `system` follows the browser's preference. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Also used by public/theme.js, which applies the theme before the first paint. */
const STORAGE_KEY = 'sluice.theme';

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return THEMES.find((theme) => theme === chosen) ?? 'system';
}

/** Applies the theme and stores it in this browser. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem(STORAGE_KEY, theme);
  document.dispatchEvent(new Event(THEME_CHANGED));
}

const THEME_CHANGED = 'themechange';
const darkPreferred = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Calls `onChange` when the effective theme changes. Returns a function that unsubscribes. */
export function watchTheme(onChange: () => void): () => void {
  const preference = darkPreferred();
  preference.addEventListener('change', onChange);
  document.addEventListener(THEME_CHANGED, onChange);
  return () => {
    preference.removeEventListener('change', onChange);
    document.removeEventListener(THEME_CHANGED, onChange);
  };
}
