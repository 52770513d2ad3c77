import { isAbsolute, relative, resolve } from 'node:path';
import type { PluginCapabilities } from '../capabilities.ts';

const maxCharacters = 1_000;
/** Characters that would change how a message is displayed. The names come from an untrusted plugin. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Says which capabilities a plugin declares without having the grant, and which grants to write. Returns undefined if it
 * has all of them.
 *
 * @param folder the plugin's folder, to which paths are relative.
 */
export function explainMissingGrants(
  id: string,
  declared: PluginCapabilities,
  granted: PluginCapabilities,
  folder: string,
): string | undefined {
  const missing = findMissing(declared, granted, folder);
  if (missing.length === 0) return undefined;
  const grants = JSON.stringify({ [id]: joinGrants(declared, granted) }, null, 1).replaceAll(/\s*\n\s*/g, ' ');
  const text = `it declares ${missing.join(', ')} without a grant, so its calls that need them fail. To grant them, write grants: ${grants}`;
  const line = text.replaceAll(hidden, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters)}…` : line;
}

/** Returns the missing capabilities, such as `hosts (api.example.com)`. */
function findMissing(declared: PluginCapabilities, granted: PluginCapabilities, folder: string): readonly string[] {
  const readable = [...(granted.fs?.read ?? []), ...(granted.fs?.write ?? [])];
  const outside = (paths: readonly string[] = [], places: readonly string[] = []): readonly string[] =>
    paths.filter((path) => !places.some((place) => contains(resolve(folder, place), resolve(folder, path))));
  const lists: readonly (readonly [name: string, missing: readonly string[]])[] = [
    ['fs.read', outside(declared.fs?.read, readable)],
    ['fs.write', outside(declared.fs?.write, granted.fs?.write)],
    // One granted host opens the whole network.
    ['hosts', (granted.hosts ?? []).length > 0 ? [] : (declared.hosts ?? [])],
    ['env', (declared.env ?? []).filter((name) => granted.env?.includes(name) !== true)],
  ];
  return [
    ...lists.filter(([, missing]) => missing.length > 0).map(([name, missing]) => `${name} (${missing.join(', ')})`),
    ...(['exec', 'hooks'] as const).filter((name) => declared[name] === true && granted[name] !== true),
  ];
}

function contains(place: string, path: string): boolean {
  const inside = relative(place, path);
  return !isAbsolute(inside) && !/^\.\.(?:[\\/]|$)/.test(inside);
}

/** Returns the grants that the plugin has, with those that it declares. */
function joinGrants(declared: PluginCapabilities, granted: PluginCapabilities): PluginCapabilities {
  const both = (
    one: readonly string[] | undefined,
    other: readonly string[] | undefined,
  ): readonly string[] | undefined => {
    const all = [...new Set([...(one ?? []), ...(other ?? [])])];
    return all.length === 0 ? undefined : all;
  };
  const [read, write] = [both(granted.fs?.read, declared.fs?.read), both(granted.fs?.write, declared.fs?.write)];
  const [hosts, env] = [both(granted.hosts, declared.hosts), both(granted.env, declared.env)];
  const either = (name: 'exec' | 'hooks'): boolean => granted[name] === true || declared[name] === true;
  return {
    ...((read ?? write) && { fs: { ...(read && { read }), ...(write && { write }) } }),
    ...(hosts && { hosts }),
    ...(env && { env }),
    ...(either('exec') && { exec: true }),
    ...(either('hooks') && { hooks: true }),
  };
}
