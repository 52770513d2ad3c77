import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { createJsonStream, extractToolCalls, repairJson } from '@haft/repair';

import { fuzzedTools } from '../inputs/fuzzed-tools.ts';
import type { Broken, FuzzInput } from '../inputs/input.ts';

const size = 1_500;
/** Processor time below which growth is not checked, in milliseconds. */
const suspiciousMs = 25;

const readers: Readonly<Record<string, (text: string) => void>> = {
  repairJson: (text) => void repairJson(text),
  createJsonStream: (text) => {
    const stream = createJsonStream();
    for (let at = 0; at < text.length; at += 64) stream.push(text.slice(at, at + 64));
    stream.end();
  },
  extractToolCalls: (text) => void extractToolCalls(text, { tools: fuzzedTools }),
};

/** Returns whether a reader takes more than linear time when a piece of text is repeated. */
export async function breaksGrowth({ text, salt }: FuzzInput): Promise<Broken | undefined> {
  const openers = ['', '', '{"a": "', '[', '{"a": [', '<tool_call>', '```json\n'];
  const before = openers[salt % openers.length] ?? '';
  const make = (length: number): string => before + text.repeat(Math.ceil(length / text.length));
  const long = make(size * 8);
  for (const [name, read] of Object.entries(readers)) {
    const start = process.cpuUsage();
    read(long);
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1_000 < suspiciousMs) continue;
    // A limit may take effect between two lengths, once. Real growth continues at greater lengths.
    let growth = await growthOf(make, read, size);
    if (growth > linearGrowth) growth = Math.min(growth, await growthOf(make, read, size * 4));
    if (growth > linearGrowth)
      return { law: `${name} takes time in proportion to length`, detail: `${growth.toFixed(1)} × what 8 × is` };
  }
  return undefined;
}
