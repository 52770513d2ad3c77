import { fileURLToPath } from 'node:url';

import type { AstroIntegration } from 'astro';

import { collectPages } from './content/collect-pages.ts';
import { organization } from './organization.ts';
import { adaptMarkup } from './content/adapt-markup.ts';
import { listSitePages } from './site-map.ts';

/** Collects the pages of the repository before the site is built, and adapts their markup to narrow screens. */
export function siteMarkdown(): AstroIntegration {
  return {
    name: 'haft-site-markdown',
    hooks: {
      'astro:config:setup': ({ config }) => {
        collectPages({
          pages: listSitePages(),
          content: fileURLToPath(new URL('content/docs', config.srcDir)),
          files: fileURLToPath(new URL('pictures', config.publicDir)),
          repository: organization.repository,
        });
        const processor = config.markdown.processor as { readonly options: { readonly hastPlugins: unknown[] } };
        processor.options.hastPlugins.push(adaptMarkup);
      },
    },
  };
}
