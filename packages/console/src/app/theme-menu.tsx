import { Menu } from '@base-ui/react/menu';
import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { IconButton } from '../components/icon-button.tsx';
import { menuItem, menuPopup, menuPositioner } from '../components/menu.ts';
import { chooseTheme, currentTheme, THEMES, type Theme, watchTheme } from '../lib/theme.ts';

const LOOKS = {
  system: { label: 'As the system', Icon: Monitor },
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
} as const;

export function ThemeMenu() {
  const theme = useSyncExternalStore(watchTheme, currentTheme);
  const { Icon } = LOOKS[theme];
  return (
    <Menu.Root>
      <Menu.Trigger
        render={
          <IconButton label="Theme">
            <Icon size={18} />
          </IconButton>
        }
      />
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className={menuPositioner}>
          <Menu.Popup className={menuPopup} aria-label="Theme">
            <Menu.RadioGroup value={theme} onValueChange={(chosen: Theme) => chooseTheme(chosen)}>
              {THEMES.map((each) => (
                <Menu.RadioItem key={each} value={each} className={menuItem} closeOnClick>
                  {LOOKS[each].label}
                  <Menu.RadioItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
