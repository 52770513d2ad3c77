import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  base: './',
  resolve: { conditions: ['@haft/source', ...defaultClientConditions] },
  build: {
    outDir: fileURLToPath(new URL('../dist/page/', import.meta.url)),
    emptyOutDir: true,
    // Inlines no images, because the content policy forbids that.
    assetsInlineLimit: 0,
    modulePreload: false,
    // The licences of React and marked require that their texts come with the copies.
    license: { fileName: 'third-party-licenses.md' },
  },
});
