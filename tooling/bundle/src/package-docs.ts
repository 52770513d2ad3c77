import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';

/** Maximum total size of a package's pages, in bytes. */
export const maxDocsBytes = 50_000;

/** Pages that belong to a package, by the name of its folder. Guides that are not listed go to the package that they import most. */
const pagesOf: Readonly<Record<string, readonly string[]>> = {
  builtins: ['guides/builtin-tools', 'security/files', 'security/web'],
  core: ['adding/tool', 'concepts/faults', 'concepts/footprints', 'concepts/life-of-a-call', 'errors'],
  'dynamic-tools': ['guides/plugins', 'guides/generated-tools', 'guides/scripts', 'adding/plugin', 'security/plugins'],
  mcp: ['guides/mcp', 'security/mcp', 'mcp-servers'],
  permission: ['concepts/risk-labels', 'concepts/trust', 'guides/permission', 'security/calls', 'security/commands'],
  repair: ['adding/envelope', 'adding/repair-fix', 'concepts/envelopes', 'guides/own-loop', 'start/thirty-seconds'],
  runner: ['guides/agents', 'adding/model'],
  sandbox: ['platforms'],
  schema: ['adding/dialect'],
  store: ['adding/store-driver'],
  'ai-sdk': ['compare', 'faq', 'start/five-minutes', 'start/packages'],
  toolkit: ['coming-from', 'guides/toolkit'],
};
const listed: ReadonlySet<string> = new Set(Object.values(pagesOf).flat());

/** Pages of the app that none of the packages that it depends on has. */
const pagesOfApp: Readonly<Record<string, string>> = {
  'README.md': 'README.md',
  'packages/otel.md': 'packages/otel/README.md',
};

/**
 * Returns the pages that a package ships below `dist/docs`, by their path there: Markdown only.
 *
 * @param root - The repository.
 * @param folder - Path from there, such as `packages/core`.
 */
export async function listPackageDocs(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const name = basename(folder);
  const sources = new Map((pagesOf[name] ?? []).map((page) => [`${page}.md`, `docs/${page}.md`]));
  const isApp = folder === 'apps/demo';
  if (isApp) for (const [path, source] of Object.entries(pagesOfApp)) sources.set(path, source);
  for (const guide of await readdir(join(root, 'docs/guides'))) {
    if (!guide.endsWith('.md') || listed.has(`guides/${guide.slice(0, -3)}`)) continue;
    const owner = importedMost(await readFile(join(root, 'docs/guides', guide), 'utf8'));
    if (owner === undefined ? isApp : owner === name) sources.set(`guides/${guide}`, `docs/guides/${guide}`);
  }
  const skills = join(root, 'apps/create-haft/skills');
  if (isApp && existsSync(skills)) {
    for (const skill of await readdir(skills)) {
      sources.set(`skills/${skill}.md`, `apps/create-haft/skills/${skill}/SKILL.md`);
    }
  }
  const pages = new Map<string, string>();
  for (const [path, source] of sources) pages.set(path, await readFile(join(root, source), 'utf8'));
  return pages;
}

/** Skips a package that the app does not depend on, because the app's search would not find its pages. */
const apart = 'otel';

/** The package that a page imports most. Almost every page imports core. */
function importedMost(markdown: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [, name = ''] of markdown.matchAll(/from '@haft\/([\w-]+)/g)) {
    if (name !== 'core' && name !== apart) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
  return first?.[0];
}

/**
 * Writes the pages of a package into its `dist/docs`, and removes those of an earlier build.
 *
 * @throws `Error` if they are larger than 50 KB in all.
 */
export async function writePackageDocs(root: string, folder: string): Promise<void> {
  const pages = await listPackageDocs(root, folder);
  const bytes = [...pages.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxDocsBytes) {
    throw new Error(
      `${folder}: its pages have ${bytes} bytes (expected at most ${maxDocsBytes}); move one in package-docs.ts`,
    );
  }
  const docs = join(root, folder, 'dist', 'docs');
  const present = existsSync(docs) ? await readdir(docs, { recursive: true, withFileTypes: true }) : [];
  for (const entry of present.filter((each) => each.isFile())) {
    const path = posix.join(entry.parentPath.slice(docs.length).replaceAll('\\', '/'), entry.name).replace(/^\//, '');
    if (!pages.has(path)) await rm(join(docs, path));
  }
  for (const [path, text] of pages) {
    const file = join(docs, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
