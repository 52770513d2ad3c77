/** A small plugin in TypeScript. It returns its version and its arguments. */
export function pluginText(version: number, name = 'answer', log = ''): string {
  const note = log === '' ? '' : `appendFileSync(${JSON.stringify(log)}, id + '\\n');`;
  return `import { appendFileSync } from 'node:fs';
interface Arguments { readonly id: string }
const version: number = ${version};
export default {
  name: ${JSON.stringify(name)},
  version: '1.0.0',
  tools: [{
    name: ${JSON.stringify(name)},
    description: 'Answers.',
    kind: 'read',
    parallelizable: true,
    input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    execute: async ({ id }: Arguments): Promise<string> => {
      ${note}
      if (id.startsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 50));
      return version + ' ' + id;
    },
  }],
};
void appendFileSync;
`;
}
