import type { Manifest, WorkspacePackage } from './workspace.ts';

/** A package that exists only in a test: a sound manifest and files, with what the test changes. */
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
