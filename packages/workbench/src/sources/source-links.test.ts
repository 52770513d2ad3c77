import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool } from '@haft/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSourceLinks } from './source-links.ts';

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-sources-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const tool = (name: string, execute: () => string) => defineTool({ name, description: 'Does it.', execute });
const editor = 'vscode://file/{path}:{line}';

describe('createSourceLinks', () => {
  it('finds the line of a tool of the program, through the bindings around its function', async () => {
    const file = join(makeFolder(), 'my tools.cjs');
    writeFileSync(file, '\n\nmodule.exports = {\n  work() {\n    return "done";\n  },\n};\n');
    const { work } = createRequire(import.meta.url)(file) as { readonly work: () => string };
    const links = createSourceLinks({ editor, pluginDirectory: undefined });
    const url = `vscode://file/${file.replaceAll(' ', '%20')}:4`;
    expect(await links.ofTool(tool('work', work), 'local')).toEqual({ path: file, line: 4, url });
  });

  it('finds tools of plugins by their name, in the file or the folder of the plugin', async () => {
    const directory = makeFolder();
    writeFileSync(join(directory, 'one.mjs'), "// a plugin\nexport default { tools: [{ name: 'shout' }] };\n");
    mkdirSync(join(directory, 'two'));
    writeFileSync(join(directory, 'two', 'index.ts'), '\n\nexport const name = "whisper";\n');
    const links = createSourceLinks({ editor: 'idea://open?file={path}&line={line}', pluginDirectory: directory });
    const place = async (name: string, id: string): Promise<string | undefined> =>
      (
        await links.ofTool(
          tool(name, () => ''),
          `dynamic/plugin/${id}`,
        )
      )?.url;
    expect(await place('shout', 'one')).toBe(`idea://open?file=${directory}/one.mjs&line=2`);
    expect(await place('whisper', 'two')).toBe(`idea://open?file=${directory}/two/index.ts&line=3`);
    expect(await place('other', 'three')).toBeUndefined();
  });

  it('has no source for built-in tools, tools of servers, and native functions', async () => {
    const links = createSourceLinks({ editor, pluginDirectory: undefined });
    const read = tool('read', () => '');
    expect(await links.ofTool(read, 'builtin')).toBeUndefined();
    expect(
      await links.ofTool(
        tool('remote', () => ''),
        'dynamic/mcp/github',
      ),
    ).toBeUndefined();
    expect(await links.ofTool(tool('native', Math.random as never), 'local')).toBeUndefined();
  });

  it('shows the lines around a failure, and no file outside the folder of the plugins', async () => {
    const directory = makeFolder();
    writeFileSync(join(directory, 'broken.mjs'), Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join('\n'));
    const links = createSourceLinks({ editor, pluginDirectory: directory });
    const found = await links.ofPlugin('broken.mjs', 5);
    expect(found?.frame.lines.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(found?.url).toBe(`vscode://file/${directory}/broken.mjs:5`);
    expect(await links.ofPlugin('../../etc/passwd', 1)).toBeUndefined();
    expect(await links.ofPlugin('missing.mjs', 1)).toBeUndefined();
  });
});
