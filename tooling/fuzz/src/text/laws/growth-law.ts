import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { createJsonStream, extractToolCalls, repairJson } from '@haft/repair';

import { fuzzedTools } from '../inputs/fuzzed-tools.ts';
import type { Broken, FuzzInput } from '../inputs/input.ts';

const size = 1_500;
/** What takes less of the processor's time is not looked into. */
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

/** Whether some reader takes more than in proportion when a piece of text is repeated. */
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
    // A limit may be met between two lengths, once: what grows without one does so at greater lengths as well.
    let growth = await growthOf(make, read, size);
    if (growth > linearGrowth) growth = Math.min(growth, await growthOf(make, read, size * 4));
    if (growth > linearGrowth)
      return { law: `${name} takes time in proportion to length`, detail: `${growth.toFixed(1)} × what 8 × is` };
  }
  return undefined;
}
