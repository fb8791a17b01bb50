// Applies the stored theme before the first paint (see src/lib/theme.ts).
document.documentElement.dataset.theme = localStorage.getItem('sluice.theme') ?? 'system';
