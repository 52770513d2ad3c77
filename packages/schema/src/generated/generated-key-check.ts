import type { KeyNode } from '../keys/key-tree.ts';
import type { Predicate } from './code-writer.ts';
import { createCodeWriter } from './code-writer.ts';

const maxParts = 400;
const deepest = 100;

/**
 * Generates a check that returns true only for values with only declared keys. False means "unknown". Returns
 * `undefined` for large trees, and if code generation is not allowed.
 */
export function createQuickKeyCheck(root: KeyNode): Predicate | undefined {
  const writer = createCodeWriter();
  let parts = 0;

  /** Writes a statement that returns false for an undeclared key. Returns an empty text if no key can be undeclared. */
  function writeCheck(node: KeyNode, name: string, depth: number): string {
    parts += 1;
    // An inherited name exists on every object, even if it was not given.
    if ([...node.known].some((key) => key in Object.prototype)) parts = Infinity;
    if (parts > maxParts || depth > deepest) return 'return false;';
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
    // If undeclared keys are refused here, count them; otherwise check what they contain.
    if (isWatched) return `let n = 0, x; ${tests.join(' ')} for (const k in v) n--; if (n !== 0) return false;`;
    const inRest = rest === undefined ? '' : writeCheck(rest, 'x', depth + 1);
    const others = inRest === '' ? '' : `for (const k in v) { const x = v[k]; ${inRest} }`;
    const all = tests.join(' ').trim();
    return all === '' ? others : `let n = 0, x; ${all} ${others}`;
  }

  const check = writeCheck(root, 'v', 0);
  if (parts > maxParts) return undefined;
  const name = writer.addFunction(() => `${check} return true;`);
  return writer.finish(`${name}(v)`);
}
