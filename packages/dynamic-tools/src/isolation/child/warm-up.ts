import { fileURLToPath } from 'node:url';
import { createModuleVersion } from '../../files/module-versions.ts';
import { takePlugin } from '../../plugin/take-plugin.ts';
import { describePlugin } from './child-tools.ts';

/** Any that imports nothing. */
const someFile: string = fileURLToPath(import.meta.url.replace('child/rehearse', 'channel/line-channel'));
const plugin = {
  name: 'rehearsal',
  version: '0.0.0',
  tools: [{ name: 'act', description: 'Acts.', kind: 'read', input: { type: 'object' }, execute: () => '' }],
};

/** Does once what is done to load a plugin, so that what takes time at first is over when one comes. */
export async function warmUp(): Promise<void> {
  try {
    await createModuleVersion(someFile, []).import();
    const taken = takePlugin(plugin);
    if (typeof taken === 'object') await describePlugin(taken);
  } catch {
    // The first load takes longer, nothing else.
  }
}
