import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

/** One export statement of an entry file: names from another module. */
const exportStatement = /^export\s+(?!type\b)\{([^}]*)\}\s+from\s+'([^']+)';/gm;

/** Exported arrays and objects that need much code, and are used by few programs: loaded when they are first read. */
const lateValues: Readonly<Record<string, '[]' | '{}'>> = {
  allEnvelopes: '[]',
  builtinNames: '[]',
  destructiveRules: '[]',
  dialects: '{}',
  readTextCalls: '{}',
};

/** Creates an array or object whose contents are loaded at the first access. It is frozen if its contents are. */
const late = `const late = (target, read) => {
  let isFilled = false;
  const fill = () => {
    if (isFilled) return;
    isFilled = true;
    const value = read();
    Object.defineProperties(target, Object.getOwnPropertyDescriptors(value));
    if (Object.isFrozen(value)) Object.freeze(target);
  };
  return new Proxy(target, new Proxy({}, { get: (_, trap) => (...given) => (fill(), Reflect[trap](...given)) }));
};`;

/**
 * Writes the variant of an entry that Node loads: it has the same exports, and loads the entry itself when one of its
 * functions is first called. Classes and other values are exported at once, from the modules that declare them.
 *
 * @param source - Absolute path of the entry's source file.
 * @param target - Path of the built entry, relative to the built variant, such as `./index.js`.
 * @throws `Error` if the entry exports anything by other means than `export { … } from '…'`.
 */
export async function writeOnDemandEntry(source: string, target: string): Promise<string> {
  const text = await readFile(source, 'utf8');
  const rest = text.replace(/^export\s+type\s[^;]*;/gm, '').replace(exportStatement, '');
  if (/^export\b/m.test(rest)) throw new Error(`${source}: only "export { … } from" can be loaded on demand`);
  const atOnce: string[] = [];
  const onDemand: string[] = [];
  for (const [, names = '', specifier = ''] of text.matchAll(exportStatement)) {
    for (const name of readNames(names)) {
      const { kind, from } = await declarationOf(name.declared, specifier, source);
      const shape = lateValues[name.exported];
      if (shape !== undefined)
        onDemand.push(`export const ${name.exported} = /* @__PURE__ */ late(${shape}, () => load().${name.exported});`);
      else if (kind === 'value')
        atOnce.push(`export { ${name.declared} as ${name.exported} } from ${JSON.stringify(from)};`);
      else onDemand.push(writeFunction(name.exported, kind));
    }
  }
  return [
    ...atOnce,
    `let entry;`,
    `const load = () => (entry ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)(${JSON.stringify(target)}));`,
    // A module that is being imported at this moment can't be required. An asynchronous caller waits for the import.
    `const loadLater = async () => { try { return load(); } catch { return (entry ??= await import('haft:entry')); } };`,
    late,
    ...onDemand,
  ].join('\n');
}

function writeFunction(name: string, kind: 'function' | 'async function'): string {
  return kind === 'function'
    ? `export function ${name}(...given) { return load().${name}(...given); }`
    : `export async function ${name}(...given) { return (entry ?? (await loadLater())).${name}(...given); }`;
}

interface ExportedName {
  readonly declared: string;
  readonly exported: string;
}

function readNames(list: string): readonly ExportedName[] {
  return list
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((written) => {
      const [declared = '', exported = declared] = written.split(/\s+as\s+/);
      return { declared, exported };
    });
}

interface Declaration {
  readonly kind: 'function' | 'async function' | 'value';
  /** The module that declares the export: an absolute path, or a package. */
  readonly from: string;
}

async function declarationOf(name: string, specifier: string, importer: string): Promise<Declaration> {
  // Exports of another package are loaded on demand by that package.
  if (!specifier.startsWith('.')) return { kind: 'value', from: specifier };
  const from = resolve(dirname(importer), specifier);
  const text = await readFile(from, 'utf8');
  const declared = new RegExp(`^export (async )?(function\\*?|class|const|let|abstract class) ${name}\\b`, 'm').exec(
    text,
  );
  if (declared) {
    const kind = declared[1] === undefined ? 'function' : 'async function';
    return { kind: declared[2] === 'function' ? kind : 'value', from };
  }
  for (const [, names = '', next = ''] of text.matchAll(exportStatement)) {
    const found = readNames(names).find(({ exported }) => exported === name);
    if (found) return declarationOf(found.declared, next, from);
  }
  throw new Error(`${relative(process.cwd(), from)}: the export ${name} is missing`);
}
