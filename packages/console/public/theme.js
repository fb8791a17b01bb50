// Before anything is painted: the theme that was chosen here, if one was (src/lib/theme.ts).
document.documentElement.dataset.theme = localStorage.getItem('sluice.theme') ?? 'system';
