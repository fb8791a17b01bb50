import styles from './menu.module.css';

/** The classes of a menu and its items (Base UI's `Menu`). */
export const menuPositioner = styles.positioner;
export const menuPopup = styles.popup;
export const menuItem = styles.item;
