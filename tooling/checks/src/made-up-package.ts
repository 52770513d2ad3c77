import type { Manifest, WorkspacePackage } from './workspace.ts';

/** An invented package: a valid manifest and files, with the changes that a test makes. */
export function madeUpPackage(parts: {
  readonly name?: string;
  readonly manifest?: Partial<Manifest>;
  readonly files?: Readonly<Record<string, string>>;
}): WorkspacePackage {
  const name = parts.name ?? '@haft/core';
  return {
    folder: `packages/${name.replace('@haft/', '')}`,
    manifest: { name, type: 'module', ...parts.manifest },
    files: new Map(Object.entries(parts.files ?? { 'src/index.ts': 'export {};' })),
  };
}
