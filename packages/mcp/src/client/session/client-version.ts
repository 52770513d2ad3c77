import { createRequire } from 'node:module';

const unknownVersion = 'unknown';
let known: string | undefined;

/** Returns the version of this package, from its manifest. */
export function packageVersion(): string {
  known ??= readVersion();
  return known;
}

/** A bundle has no manifest next to it. */
function readVersion(): string {
  try {
    const manifest: unknown = createRequire(import.meta.url)('../../../package.json');
    const { name, version } = manifest as { readonly name?: unknown; readonly version?: unknown };
    return name === '@haft/mcp' && typeof version === 'string' ? version : unknownVersion;
  } catch {
    return unknownVersion;
  }
}
