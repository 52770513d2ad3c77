import { readFileSync } from 'node:fs';

import type { Call, OfferedTool } from './calls/call.ts';
import type { TextCase } from './calls/text-case.ts';

interface Fixtures {
  readonly tools: readonly OfferedTool[];
  readonly examples: readonly {
    readonly format: string;
    readonly n: number;
    readonly text: string;
    readonly expected: readonly Call[];
  }[];
  readonly probes: readonly {
    readonly id: string;
    readonly text: string;
    readonly expected: readonly Call[];
    readonly why: string;
  }[];
}

const file = new URL('../../../../packages/repair/src/fixtures/envelopes.json', import.meta.url);

/** The examples of every envelope in the package's tests, and the probes for texts that are or only resemble calls. */
export function readFixtures(): { readonly examples: readonly TextCase[]; readonly probes: readonly TextCase[] } {
  const { tools, examples, probes } = JSON.parse(readFileSync(file, 'utf8')) as Fixtures;
  return {
    examples: examples.map(({ format, n, text, expected }) => ({
      id: `fixture/${format}/${n}`,
      envelope: format,
      form: 'fixture',
      kind: 'fixture',
      text,
      expected,
      tools,
    })),
    probes: probes.map(({ id, text, expected, why }) => ({
      id: `probe/${id}`,
      envelope: 'probe',
      form: why,
      kind: 'probe',
      text,
      expected,
      tools,
    })),
  };
}
