import styles from './menu.module.css';

/** The class names of a Base UI `Menu` and its items. */
export const menuPositioner = styles.positioner;
export const menuPopup = styles.popup;
export const menuItem = styles.item;
/** The class name of the selection count next to the button label. */
export const menuSelectedCount = styles.selectedCount;
