import styles from './menu.module.css';

/** The classes of a menu and its items (Base UI's `Menu`). */
export const menuPositioner = styles.positioner;
export const menuPopup = styles.popup;
export const menuItem = styles.item;
/** The class of the selection count next to the button label. */
export const menuSelectedCount = styles.selectedCount;
