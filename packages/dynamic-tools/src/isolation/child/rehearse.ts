import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createModuleVersion } from '../../module-versions.ts';
import { takePlugin } from '../../take-plugin.ts';
import { describePlugin } from './child-tools.ts';

/** Any that imports nothing. */
const someFile: string = fileURLToPath(import.meta.url.replace('child/rehearse', 'line-channel'));
const code = `import { basename } from 'node:path';
interface Arguments { readonly path: string; readonly times?: number }
const names: readonly string[] = [];
export default { tools: [{ execute: async ({ path }: Arguments): Promise<string> => basename(path as string) }] };
`;
const plugin = {
  name: 'rehearsal',
  version: '0.0.0',
  tools: [{ name: 'act', description: 'Acts.', kind: 'read', input: { type: 'object' }, execute: () => '' }],
};

/** Does once what is done to load a plugin, so that what takes time at first is over when one comes. */
export async function rehearse(): Promise<void> {
  try {
    stripTypeScriptTypes(code);
    await createModuleVersion(someFile, []).import();
    const taken = takePlugin(plugin);
    if (typeof taken === 'object') await describePlugin(taken);
  } catch {
    // The first load takes longer, nothing else.
  }
}
