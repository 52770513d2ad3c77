import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: {
    outDir: fileURLToPath(new URL('../dist/page/', import.meta.url)),
    emptyOutDir: true,
    // Inlines no images, because the content policy forbids that.
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
