import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parse } from 'yaml';

/** The scenarios that a revision of the protocol requires, as frozen by the suite. */
export interface Requirements {
  readonly server: readonly string[];
  readonly client: readonly string[];
  /** Scenarios that run without being required. */
  readonly not_scored: readonly { readonly scenario: string; readonly leg: 'server' | 'client' }[];
}

/** Reads the required scenarios from the installed suite. */
export function readRequirements(revision: string): Requirements {
  const { resolve } = createRequire(import.meta.url);
  const manifest = resolve('@modelcontextprotocol/conformance/package.json');
  const path = manifest.replace(/package\.json$/, `requirements/${revision}.yaml`);
  return parse(readFileSync(path, 'utf8')) as Requirements;
}
