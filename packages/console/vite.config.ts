import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { pageList } from './build/page-list.ts';

export default defineConfig({
  // Relative URLs, so that assets load under any base path.
  base: './',
  plugins: [react(), pageList(), compressedFiles()],
  build: {
    target: 'baseline-widely-available',
    // Inlined assets are data: URLs, which the Content-Security-Policy does not allow.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': process.env.SLUICE ?? 'http://127.0.0.1:8080' } },
});
