import { fileURLToPath } from 'node:url';
import { createModuleVersion } from '../../files/module-versions.ts';
import { takePlugin } from '../../plugin/take-plugin.ts';
import { describePlugin } from './child-tools.ts';

const isSource = import.meta.url.endsWith('.ts');
const someFile: string = fileURLToPath(new URL(isSource ? './empty-module.ts' : './empty-module.js', import.meta.url));
const plugin = {
  name: 'rehearsal',
  version: '0.0.0',
  tools: [{ name: 'act', description: 'Acts.', kind: 'read', input: { type: 'object' }, execute: () => '' }],
};

/** Performs each step of loading once, so that the first real plugin loads faster. */
export async function warmUp(): Promise<void> {
  try {
    await createModuleVersion(someFile, []).import();
    const taken = takePlugin(plugin);
    if (typeof taken === 'object') await describePlugin(taken);
  } catch {
    // A failure only makes the first load slower.
  }
}
