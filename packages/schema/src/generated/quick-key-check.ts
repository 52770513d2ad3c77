import type { KeyNode } from '../keys/key-tree.ts';
import type { Predicate } from './code-writer.ts';
import { createCodeWriter } from './code-writer.ts';

const mostParts = 400;
const deepest = 100;

/**
 * Generates a check that is true only for values all of whose keys are declared. False says nothing. `undefined` for large
 * trees, and where code may not be generated.
 */
export function createQuickKeyCheck(root: KeyNode): Predicate | undefined {
  const writer = createCodeWriter();
  let parts = 0;

  /** What to do with a value, as a statement that leaves with false; nothing when nothing can be wrong with it. */
  function writeCheck(node: KeyNode, name: string, depth: number): string {
    parts += 1;
    // A name that every object inherits is there without being given.
    if ([...node.known].some((key) => key in Object.prototype)) parts = Infinity;
    if (parts > mostParts || depth > deepest) return 'return false;';
    const inObject = writeKeys(node, depth);
    const item = node.items === undefined ? '' : writeCheck(node.items, 'x', depth + 1);
    const inArray = item === '' ? '' : `for (let i = 0; i < v.length; i++) { const x = v[i]; ${item} }`;
    if (inObject === '' && inArray === '') return '';
    const body =
      inObject === ''
        ? `if (Array.isArray(v)) { ${inArray} }`
        : `if (Array.isArray(v)) { ${inArray} } else { ${inObject} }`;
    const check = writer.addFunction(() => `${body} return true;`);
    return `if (typeof ${name} === "object" && ${name} !== null && !${check}(${name})) return false;`;
  }

  function writeKeys({ isClosed, known, members, rest }: KeyNode, depth: number): string {
    const isWatched = !isClosed && known.size > 0;
    const names = isWatched ? [...known] : [...members.keys()];
    const tests = names.map((key) => {
      const member = members.get(key);
      const test = member === undefined ? '' : writeCheck(member, 'x', depth + 1);
      if (!isWatched && test === '') return '';
      return `x = v[${JSON.stringify(key)}]; if (x !== undefined) { n++; ${test} }`;
    });
    // A key that is not declared is a stranger here; where it is not, what is in it still has to be looked at.
    if (isWatched) return `let n = 0, x; ${tests.join(' ')} for (const k in v) n--; if (n !== 0) return false;`;
    const inRest = rest === undefined ? '' : writeCheck(rest, 'x', depth + 1);
    const others = inRest === '' ? '' : `for (const k in v) { const x = v[k]; ${inRest} }`;
    const all = tests.join(' ').trim();
    return all === '' ? others : `let n = 0, x; ${all} ${others}`;
  }

  const check = writeCheck(root, 'v', 0);
  if (parts > mostParts) return undefined;
  const name = writer.addFunction(() => `${check} return true;`);
  return writer.finish(`${name}(v)`);
}
