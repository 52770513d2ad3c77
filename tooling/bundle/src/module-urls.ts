import { posix, relative, resolve } from 'node:path';

import type { Plugin } from 'rolldown';

const marker = 'globalThis.haftModuleUrl';

/**
 * Gives each source module the `import.meta.url` that it would have if it were built to a file of its own, so that its
 * paths to other files stay correct in a bundle. {@link placeModuleUrls} completes the work.
 */
export function withModuleUrls(folder: string): Plugin {
  return {
    name: 'with-module-urls',
    transform(code, id) {
      if (!code.includes('import.meta.url') || !id.endsWith('.ts')) return undefined;
      const built = relative(resolve(folder, 'src'), id).replaceAll('\\', '/').replace(/\.ts$/, '.js');
      return {
        code: code.replaceAll('import.meta.url', `${marker}(${JSON.stringify(built)})`),
        map: { version: 3, file: built, sources: [id], names: [], mappings: sameLines(code) },
      };
    },
  };
}

/**
 * Replaces the placeholders of {@link withModuleUrls} in the code of a built file. The result is not a
 * `new URL(…, import.meta.url)`, which other bundlers treat as a reference to a required file.
 */
export function placeModuleUrls(code: string, fileName: string): string {
  return code.replace(/globalThis\.haftModuleUrl\(["`]([^"`]+)["`]\)/g, (_, built: string) => {
    const path = posix.relative(posix.dirname(fileName), built);
    return built === fileName ? 'import.meta.url' : `import.meta.url.replace(/[^/]*$/, ${JSON.stringify(path)})`;
  });
}

/** The mappings of a text whose lines stay where they are: one segment for each line. */
function sameLines(code: string): string {
  return code
    .split('\n')
    .map((_, index) => (index === 0 ? 'AAAA' : 'AACA'))
    .join(';');
}
