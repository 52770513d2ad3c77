import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyTool } from '@haft/core';
import type { CodeFrame, SourceView } from '../contract/page-data.ts';
import { readCodeFrame } from './code-frame.ts';
import { placeOfFunction, type SourcePlace } from './function-place.ts';

/** Finds the sources of tools and plugins, and writes links that open them in an editor. */
export interface SourceLinks {
  /** Returns where a tool is defined. Returns undefined for tools of servers, and if the source is unknown. */
  ofTool(tool: AnyTool, provider: string): Promise<SourceView | undefined>;
  /** Returns the lines around the failure of a plugin. */
  ofPlugin(file: string, line: number): Promise<{ readonly frame: CodeFrame; readonly url: string } | undefined>;
}

/** Options of {@link createSourceLinks}. */
export interface SourceLinkOptions {
  /** URL of the editor with `{path}` and `{line}`. */
  readonly editor: string;
  readonly pluginDirectory: string | undefined;
}

const pluginProvider = 'dynamic/plugin/';
const installed = /[\\/]node_modules[\\/]/;

/** Creates links to sources. Places are looked up once for each tool. */
export function createSourceLinks({ editor, pluginDirectory }: SourceLinkOptions): SourceLinks {
  const places = new WeakMap<AnyTool, Promise<SourcePlace | undefined>>();
  const urlOf = ({ path, line }: SourcePlace): string =>
    editor.replace('{path}', encodeURI(path.replaceAll('\\', '/'))).replace('{line}', String(line));

  const find = async (tool: AnyTool, provider: string): Promise<SourcePlace | undefined> => {
    // All functions of these tools are in one place, which only forwards the call.
    if (provider === 'builtin' || provider.startsWith('dynamic/mcp/')) return undefined;
    if (!provider.startsWith(pluginProvider)) {
      const place = placeOfFunction(tool, 'execute');
      // A line of an installed bundle tells a reader nothing.
      return place !== undefined && installed.test(place.path) ? undefined : place;
    }
    return pluginDirectory === undefined
      ? undefined
      : findInPlugin(pluginDirectory, provider.slice(pluginProvider.length), tool.name);
  };

  return {
    async ofTool(tool, provider) {
      let place = places.get(tool);
      if (place === undefined) {
        place = find(tool, provider);
        places.set(tool, place);
      }
      const found = await place;
      return found && { ...found, url: urlOf(found) };
    },
    async ofPlugin(file, line) {
      const frame = pluginDirectory === undefined ? undefined : await readCodeFrame(pluginDirectory, file, line);
      return frame && { frame, url: urlOf(frame) };
    },
  };
}

const scriptFile = /\.[cm]?[jt]s$/;

/** Finds the line that names a tool in the files of a plugin. */
async function findInPlugin(directory: string, id: string, tool: string): Promise<SourcePlace | undefined> {
  const names = await readdir(directory).catch(() => []);
  const name = names.find((one) => one === id || one.replace(scriptFile, '') === id);
  if (name === undefined) return undefined;
  const path = join(directory, name);
  const isFile = (await stat(path).catch(() => undefined))?.isFile() ?? false;
  const inside = isFile ? [path] : (await readdir(path).catch(() => [])).map((one) => join(path, one));
  const files = inside.filter((file) => scriptFile.test(file));
  for (const file of files) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    const at = lines.findIndex((line) => line.includes(`'${tool}'`) || line.includes(`"${tool}"`));
    if (at >= 0) return { path: file, line: at + 1 };
  }
  return files[0] === undefined ? undefined : { path: files[0], line: 1 };
}
