import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const repositoryRoot: string = fileURLToPath(new URL('../../../', import.meta.url));

/** A page of the site: the Markdown file that it shows, and its address. */
export interface SitePage {
  /** Path from the root of the repository. */
  readonly source: string;
  /** Address below the root of the site, without slashes at its ends; empty for the first page. */
  readonly slug: string;
  /** Label in the navigation, if it differs from the title. */
  readonly label?: string;
}

/** A group of the navigation. */
export interface SiteGroup {
  readonly label: string;
  readonly isCollapsed?: boolean;
  readonly pages: readonly SitePage[];
}

const packageNames =
  'repair schema sandbox store core builtins permission journal mcp dynamic-tools runner toolkit workbench jobs otel ai-sdk'.split(
    ' ',
  );

/** All pages, in the order of the navigation. A test compares the list with the files of `docs`. */
export const siteMap: readonly SiteGroup[] = [
  {
    label: 'Start',
    pages: [
      { source: 'docs/README.md', slug: '', label: 'Haft' },
      { source: 'docs/start/thirty-seconds.md', slug: 'start/thirty-seconds' },
      { source: 'docs/start/five-minutes.md', slug: 'start/five-minutes' },
      { source: 'docs/start/packages.md', slug: 'start/packages' },
    ],
  },
  {
    label: 'Guides',
    pages: [
      { source: 'docs/guides/repair-output.md', slug: 'guides/repair-output' },
      { source: 'docs/guides/calls-in-text.md', slug: 'guides/calls-in-text' },
      { source: 'docs/guides/own-loop.md', slug: 'guides/own-loop' },
      { source: 'docs/guides/ai-sdk.md', slug: 'guides/ai-sdk' },
      { source: 'docs/adding/plugin.md', slug: 'guides/write-a-plugin', label: 'Write a plugin' },
      { source: 'docs/guides/connect-and-serve-mcp.md', slug: 'guides/connect-and-serve-mcp' },
      { source: 'docs/guides/ask-a-person.md', slug: 'guides/ask-a-person' },
      { source: 'docs/guides/jail-commands.md', slug: 'guides/jail-commands' },
      { source: 'docs/guides/undo.md', slug: 'guides/undo' },
      { source: 'docs/guides/workbench.md', slug: 'guides/workbench' },
      { source: 'docs/guides/stream-to-a-ui.md', slug: 'guides/stream-to-a-ui' },
      { source: 'docs/guides/test-tools.md', slug: 'guides/test-tools' },
      { source: 'docs/guides/trace.md', slug: 'guides/trace' },
      { source: 'docs/guides/scale-out.md', slug: 'guides/scale-out' },
      { source: 'docs/scaling.md', slug: 'scaling', label: 'From one process to many' },
      { source: 'docs/guides/production.md', slug: 'guides/production' },
    ],
  },
  {
    label: 'Concepts',
    pages: ['life-of-a-call', 'faults', 'risk-labels', 'envelopes', 'footprints', 'trust'].map((name) => ({
      source: `docs/concepts/${name}.md`,
      slug: `concepts/${name}`,
    })),
  },
  {
    label: 'Compare and move',
    pages: [
      { source: 'docs/compare.md', slug: 'compare' },
      { source: 'docs/before-and-after.md', slug: 'before-and-after' },
      { source: 'docs/coming-from.md', slug: 'coming-from' },
      { source: 'docs/benchmarks.md', slug: 'benchmarks' },
    ],
  },
  {
    label: 'Reference',
    pages: [
      { source: 'docs/errors.md', slug: 'errors' },
      { source: 'docs/faq.md', slug: 'faq' },
      { source: 'docs/platforms.md', slug: 'platforms' },
      { source: '.github/SUPPORT.md', slug: 'stability', label: 'Stability' },
      { source: 'docs/glossary.md', slug: 'glossary' },
      { source: 'docs/mcp-servers.md', slug: 'mcp-servers' },
      { source: 'ARCHITECTURE.md', slug: 'architecture' },
      { source: 'docs/decisions/README.md', slug: 'decisions' },
    ],
  },
  {
    label: 'Packages',
    isCollapsed: true,
    pages: [
      ...packageNames.map((name) => ({ source: `packages/${name}/README.md`, slug: `packages/${name}` })),
      { source: 'apps/demo/README.md', slug: 'packages/haft', label: 'haft (the app)' },
    ],
  },
  {
    label: 'In depth',
    isCollapsed: true,
    pages: ['permission', 'builtin-tools', 'agents', 'mcp', 'plugins', 'generated-tools', 'scripts', 'toolkit'].map(
      (name) => ({ source: `docs/guides/${name}.md`, slug: `in-depth/${name}` }),
    ),
  },
  {
    label: 'Security',
    isCollapsed: true,
    pages: [
      { source: 'SECURITY.md', slug: 'security', label: 'Threat model' },
      ...['calls', 'files', 'commands', 'web', 'plugins', 'mcp'].map((name) => ({
        source: `docs/security/${name}.md`,
        slug: `security/${name}`,
      })),
    ],
  },
  {
    label: 'Extend',
    isCollapsed: true,
    pages: [
      { source: 'docs/adding/README.md', slug: 'extend' },
      ...['tool', 'model', 'envelope', 'store-driver', 'repair-fix', 'dialect'].map((name) => ({
        source: `docs/adding/${name}.md`,
        slug: `extend/${name}`,
      })),
    ],
  },
];

/** The decision records, which other pages link to; only their list is in the navigation. */
export function listDecisionPages(): readonly SitePage[] {
  const folder = join(repositoryRoot, 'docs/decisions');
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.md$/.test(name))
    .toSorted()
    .map((name) => ({ source: `docs/decisions/${name}`, slug: `decisions/${name.slice(0, 4)}` }));
}

/** Every page, whether or not it is in the navigation. */
export function listSitePages(): readonly SitePage[] {
  return [...siteMap.flatMap(({ pages }) => pages), ...listDecisionPages()];
}
