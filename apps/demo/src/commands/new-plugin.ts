import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { Command } from '../program/command.ts';
import { makeFolder } from '../program/make-folder.ts';
import { ownCommand } from '../program/own-command.ts';
import { UsageError } from '../program/usage-error.ts';
import { findTypes } from '../scaffold/find-types.ts';
import { createPluginTemplate } from '../scaffold/plugin-template.ts';

/** Creates a new plugin. */
export const newPlugin: Command = {
  name: 'new-plugin',
  summary: 'create a new plugin: a folder with one typed tool',
  operands: 'NAME',
  maximumOperands: 1,
  options: {
    plugins: {
      type: 'string',
      value: 'DIR',
      description: 'the plugins folder (default: plugins)',
    },
  },
  notes: ['Existing files are never overwritten. How plugins work: docs/adding/plugin.md'],
  async run(invocation) {
    const { terminal, cwd } = invocation;
    const name = pluginName(invocation.positionals[0]);
    const plugins = invocation.value('plugins') ?? 'plugins';
    const folder = resolve(cwd, plugins, name);
    if (existsSync(folder)) throw new UsageError(`${relative(cwd, folder)} exists already; choose another name`);
    const { files, tool } = createPluginTemplate(name, findTypes());
    makeFolder(folder);
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' });
    const own = ownCommand();
    const lines = [
      `Made ${relative(cwd, folder)}: ${Object.keys(files).join(', ')}`,
      '',
      'Try it here:',
      `  ${own} tools --plugins ${plugins}`,
      `  echo '<tool_call>{name: "${tool}", arguments: {text: "hello"}}' | ${own} dispatch - --plugins ${plugins}`,
      '',
      `Then edit ${join(relative(cwd, folder), 'index.ts')}. While chat or serve run with --plugins ${plugins}, each save is live.`,
      'It runs in its own jailed process; --trust-plugins runs it inside the program instead.',
    ];
    for (const line of lines) terminal.line(line);
    return 0;
  },
};

function pluginName(given: string | undefined): string {
  if (given === undefined) throw new UsageError('new-plugin needs a name, such as: new-plugin weather');
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(given))
    throw new UsageError(
      `new-plugin ${given}: a name has lower-case letters, digits and "-", and starts with a letter`,
    );
  return given;
}
