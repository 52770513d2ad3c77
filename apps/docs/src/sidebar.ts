import type { StarlightUserConfig } from '@astrojs/starlight/types';

import type { EntryPoint } from './api/entry-points.ts';
import { siteMap } from './site-map.ts';

/** The navigation: the groups of the site map, and the API reference with one page for each entry point. */
export function describeSidebar(entryPoints: readonly EntryPoint[]): NonNullable<StarlightUserConfig['sidebar']> {
  return [
    ...siteMap.map(({ label, isCollapsed = false, pages }) => ({
      label,
      collapsed: isCollapsed,
      items: pages.map(({ slug, label }) => ({
        slug: slug === '' ? 'index' : slug,
        ...(label !== undefined && { label }),
      })),
    })),
    {
      label: 'API reference',
      collapsed: true,
      items: [
        { label: 'All entry points', link: '/api/' },
        ...entryPoints.map(({ name, slug }) => ({ label: name, link: `/api/${slug}/` })),
      ],
    },
  ];
}
