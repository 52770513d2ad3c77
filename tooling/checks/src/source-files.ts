import type { WorkspacePackage } from './workspace.ts';

/** The role of a source file: shipped code, a test, or test data. */
export type SourceRole = 'shipped' | 'test' | 'fixture';

/** One TypeScript file of a package. */
export interface SourceFile {
  /** Path inside the package: `src/json/repair-json.ts`. */
  readonly path: string;
  readonly text: string;
  readonly role: SourceRole;
}

/** Lists the TypeScript files under `src`, each with its role. */
export function listSourceFiles(workspacePackage: WorkspacePackage): readonly SourceFile[] {
  return [...workspacePackage.files]
    .filter(([path]) => path.startsWith('src/') && /\.(?:ts|mts|tsx)$/.test(path))
    .map(([path, text]) => ({ path, text, role: roleOf(path) }));
}

function roleOf(path: string): SourceRole {
  if (path.split('/').includes('fixtures')) return 'fixture';
  return /\.test(?:-d)?\.ts$/.test(path) ? 'test' : 'shipped';
}
