import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { pageList } from './build/page-list.ts';

export default defineConfig({
  // Relative: what the page is made of is found below whatever path the page itself is served.
  base: './',
  plugins: [react(), pageList(), compressedFiles()],
  build: {
    target: 'baseline-widely-available',
    // A data: address is one more source that the Content-Security-Policy would have to allow.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': process.env.SLUICE ?? 'http://127.0.0.1:8080' } },
});
