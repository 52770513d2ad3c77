import { readFileSync } from 'node:fs';

/**
 * Returns one line if the running Node is too old; `undefined` otherwise. Imports no other file of this program, so
 * that an old Node can print it.
 */
export function describeOldNode(running: string, engines: string = readEngines()): string | undefined {
  const needed = /(\d+)\.(\d+)/.exec(engines);
  const given = /^(\d+)\.(\d+)/.exec(running);
  if (!needed || !given) return undefined;
  const majors = Number(given[1]) - Number(needed[1]);
  const isOld = majors < 0 || (majors === 0 && Number(given[2]) < Number(needed[2]));
  return isOld
    ? `this needs Node ${needed[0]} or newer, and so do the projects that it creates; it was started with ${running}`
    : undefined;
}

function readEngines(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly engines: { readonly node: string } }).engines.node;
}
