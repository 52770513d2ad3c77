import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { scriptCommand, type PackageManager } from './package-manager.ts';
import type { Template } from './templates.ts';

/** Inputs of a project besides its template. */
export interface ProjectChoices {
  readonly name: string;
  readonly template: Template;
  readonly packageManager: PackageManager;
  /** The version of Haft's packages. All have the same. */
  readonly version: string;
}

/** The name of every project in the templates, which are programs that run as they are. */
export const placeholderName = 'my-haft-project';
const ownFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the files of a new project, by their path with `/`. */
export function projectFiles(choices: ProjectChoices): ReadonlyMap<string, string> {
  const { template, packageManager } = choices;
  const files = new Map<string, string>();
  for (const [path, text] of readFiles(join(ownFolder, 'templates', template.name))) {
    // npm omits or renames a .gitignore file in a package.
    files.set(path.replace(/(^|\/)_(?=[^/]+$)/, '$1.'), adapt(path, text, choices));
  }
  for (const skill of template.skills) {
    for (const [path, text] of readFiles(join(ownFolder, 'skills', skill)))
      files.set(`.agents/skills/${skill}/${path}`, text);
  }
  // Node finds no packages in yarn's archives.
  if (packageManager === 'yarn') files.set('.yarnrc.yml', 'nodeLinker: node-modules\n');
  if (packageManager !== 'pnpm') files.delete('pnpm-workspace.yaml');
  return files;
}

function adapt(path: string, text: string, { name, packageManager, version }: ProjectChoices): string {
  const named = text.replaceAll(placeholderName, name);
  if (path === 'package.json') return withVersion(named, version);
  return path.endsWith('.md') ? withCommands(named, packageManager) : named;
}

/** Templates depend on Haft's packages at 0.0.0, the version of the repository. */
function withVersion(manifest: string, version: string): string {
  return manifest.replaceAll(/("(?:@haft\/[\w-]+|haft)": )"0\.0\.0"/g, `$1"^${version}"`);
}

function withCommands(markdown: string, packageManager: PackageManager): string {
  if (packageManager === 'npm') return markdown;
  return markdown
    .replaceAll(/\bnpm install\b/g, `${packageManager} install`)
    .replaceAll(/\bnpm (?:run )?(start|test|try|dev|build|check)( --)?(?=[\s`])/g, (_, script: string) =>
      scriptCommand(packageManager, script),
    );
}

/** Folders and files that running a template in the repository leaves behind. */
const leftOut: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  '.next',
  'next-env.d.ts',
  'tsconfig.tsbuildinfo',
]);

function readFiles(folder: string, inside = ''): readonly (readonly [path: string, text: string])[] {
  return readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (leftOut.has(entry.name)) return [];
    if (entry.isDirectory()) return readFiles(folder, path);
    return [[path, readFileSync(join(folder, path), 'utf8')] as const];
  });
}
