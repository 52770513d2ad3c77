import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

/** Scenarios that a revision of the protocol requires, as the suite froze them. */
export interface Requirements {
  readonly server: readonly string[];
  readonly client: readonly string[];
}

/** Reads them from the suite that is installed. */
export function readRequirements(revision: string): Requirements {
  const { resolve } = createRequire(import.meta.url);
  const manifest = resolve('@modelcontextprotocol/conformance/package.json');
  const path = manifest.replace(/package\.json$/, `requirements/${revision}.yaml`);
  return parse(readFileSync(path, 'utf8')) as Requirements;
}
