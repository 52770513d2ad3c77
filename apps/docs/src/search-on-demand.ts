import { fileURLToPath } from 'node:url';

import type { AstroUserConfig } from 'astro';

type VitePlugin = Extract<NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>[number], { name: string }>;

const search = '@pagefind/default-ui';
const replacement = fileURLToPath(new URL('../site/search/pagefind-on-demand.ts', import.meta.url));
const starlight = fileURLToPath(import.meta.resolve('@astrojs/starlight'));

/** A Vite plugin that replaces Starlight's import of the search by a module that loads it when it is opened. */
export function searchOnDemand(): VitePlugin {
  return {
    name: 'search-on-demand',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source !== search) return undefined;
      // The replacement lies outside the package that has the search among its dependencies.
      return importer === replacement ? this.resolve(source, starlight, { skipSelf: true }) : replacement;
    },
  };
}
