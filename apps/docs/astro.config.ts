import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import starlightLinksValidator from 'starlight-links-validator';
import starlightLlmsTxt from 'starlight-llms-txt';
import starlightTypeDoc from 'starlight-typedoc';

import { attachExamples, listPrograms } from './src/api/attach-examples.ts';
import { listEntryPoints } from './src/api/entry-points.ts';
import { namePackages } from './src/api/name-packages.ts';
import { nameCodeRegions } from './src/content/name-code-regions.ts';
import { organization } from './src/organization.ts';
import { searchOnDemand } from './src/search-on-demand.ts';
import { describeSidebar } from './src/sidebar.ts';
import { splitTitle } from './src/content/split-title.ts';
import { listSitePages, repositoryRoot, siteMap, type SitePage } from './src/site-map.ts';
import { siteMarkdown } from './src/site-markdown.ts';

/** A page in `llms.txt`: its Markdown twin, and what it is about. */
function linkTo(group: string, { source, slug }: SitePage): { label: string; url: string; description: string } {
  const { title, description } = splitTitle(readFileSync(join(repositoryRoot, source), 'utf8'), source);
  const url = `${organization.documentation}/${slug === '' ? 'index' : slug}.md`;
  return { label: `${group}: ${title}`, url, description };
}

const entryPoints = listEntryPoints();
const programs = listSitePages().flatMap(({ source, slug }) => {
  const text = readFileSync(join(repositoryRoot, source), 'utf8');
  return listPrograms({ title: splitTitle(text, source).title, address: slug === '' ? '/' : `/${slug}/`, text });
});

export default defineConfig({
  site: organization.documentation,
  srcDir: './site',
  outDir: './dist',
  cacheDir: './.astro/cache',
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  vite: { plugins: [searchOnDemand()] },
  integrations: [
    siteMarkdown(),
    starlight({
      title: 'Haft',
      description: 'npm packages that run the tool calls of language models safely and reliably.',
      favicon: '/favicon.svg',
      customCss: ['./site/styles/site.css'],
      routeMiddleware: './site/markdown-link.ts',
      social: [{ icon: 'github', label: 'Repository', href: organization.repository }],
      lastUpdated: false,
      credits: false,
      sidebar: describeSidebar(entryPoints),
      expressiveCode: {
        themes: ['github-dark-high-contrast', 'github-light-high-contrast'],
        plugins: [nameCodeRegions],
        // Code wraps, because readers miss text that is cut off at the edge, above all on phones.
        defaultProps: { wrap: true, hangingIndent: 2, overridesByLang: { 'sh,bash': { frame: 'none' } } },
        styleOverrides: {
          codeFontSize: '0.8125rem',
          borderRadius: '0.375rem',
          borderColor: 'var(--sl-color-hairline)',
        },
      },
      plugins: [
        starlightTypeDoc({
          entryPoints: entryPoints.map(({ file }) => file),
          tsconfig: fileURLToPath(new URL('tsconfig.api.json', import.meta.url)),
          output: 'api',
          typeDoc: {
            plugin: [namePackages(entryPoints), attachExamples(programs)],
            router: 'member',
            disableGit: true,
            basePath: repositoryRoot,
            displayBasePath: repositoryRoot,
            sourceLinkTemplate: `${organization.repository}/blob/main/{path}#L{line}`,
            // The compiler has checked the same files before.
            skipErrorChecking: true,
            excludeInternal: true,
            excludeExternals: true,
            name: 'API reference',
            entryFileName: 'index',
            readme: 'none',
            sort: ['kind', 'alphabetical'],
            kindSortOrder: ['Function', 'Class', 'Variable', 'Interface', 'TypeAlias'],
            hideBreadcrumbs: false,
            validation: { notExported: false, invalidLink: false, invalidPath: false },
            useCodeBlocks: true,
            expandParameters: true,
            indexFormat: 'table',
            parametersFormat: 'table',
            interfacePropertiesFormat: 'table',
            propertiesFormat: 'table',
            typeDeclarationFormat: 'table',
            enumMembersFormat: 'table',
            tableColumnSettings: { hideSources: true, hideOverrides: true, hideInherited: true },
          },
        }),
        starlightLinksValidator({ errorOnLocalLinks: false, exclude: ['/**/*.md', '/llms*.txt'] }),
        starlightLlmsTxt({
          projectName: 'Haft',
          rawContent: true,
          promote: ['index*', 'start/**', 'guides/**', 'concepts/**'],
          demote: ['packages/**', 'security/**', 'decisions/**', 'api/**'],
          exclude: ['api/**', 'decisions/**', 'benchmarks', 'packages/**', 'security/**'],
          details: 'Every page is also served as Markdown: replace the final `/` of its address by `.md`.',
          optionalLinks: siteMap.flatMap(({ label: group, pages }) => pages.map((page) => linkTo(group, page))),
        }),
      ],
    }),
  ],
});
