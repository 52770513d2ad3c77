/** The files of a new plugin, by name. */
export interface PluginTemplate {
  readonly files: Readonly<Record<string, string>>;
  /** Its first tool. */
  readonly tool: string;
}

/** Paths of type declarations, by package name. */
export type TypePaths = Readonly<Record<string, string>>;

/**
 * Creates the files of a new plugin: one typed tool, a manifest, and types for the editor.
 *
 * @param name lower-case letters, digits and `-`, beginning with a letter.
 */
export function createPluginTemplate(name: string, types: TypePaths): PluginTemplate {
  const tool = `${name.replaceAll('-', '_')}_echo`;
  const files = {
    'index.ts': source(name, tool),
    'package.json': json({
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      // Access to more than its own files; the user grants it to the plugin by name.
      haft: { api: '^1', capabilities: {} },
    }),
    ...(Object.keys(types).length === 0 ? {} : { 'tsconfig.json': json(configuration(types)) }),
  };
  return { files, tool };
}

function source(name: string, tool: string): string {
  return `import { defineTool } from '@haft/core';
import { definePlugin } from '@haft/dynamic-tools/plugin';
import { z } from 'zod';

export default definePlugin({
  name: '${name}',
  version: '0.1.0',
  description: 'Says in one sentence what this plugin is for.',
  tools: [
    defineTool({
      name: '${tool}',
      description: 'Repeats a text. Tell the model when to use the tool and what it returns.',
      // It changes nothing, so the user is not asked. Remove this if the tool changes something.
      kind: 'read',
      input: z.object({
        text: z.string().describe('The text to repeat, such as "hello".'),
        times: z.int().min(1).max(10).default(1).describe('Number of repetitions.'),
      }),
      execute: ({ text, times }) => Array.from({ length: times }, () => text).join(' '),
    }),
  ],
});
`;
}

function configuration(types: TypePaths): object {
  return {
    compilerOptions: {
      target: 'ES2022',
      module: 'NodeNext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      types: [],
      paths: Object.fromEntries(Object.entries(types).map(([name, path]) => [name, [path]])),
    },
    include: ['**/*.ts'],
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
