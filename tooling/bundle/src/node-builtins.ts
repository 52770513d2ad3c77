import { isBuiltin } from 'node:module';

import type { Plugin } from 'rolldown';

/** Modules that take Node more than a millisecond to load. Their functions load them when they are first called. */
const costly: ReadonlySet<string> = new Set(['crypto', 'dns/promises', 'http', 'https', 'net', 'tls', 'zlib']);
const prefix = '\0haft-node:';

/**
 * Loads Node's own modules through `process.getBuiltinModule`. An `import` of them copies all of their exports, and so
 * runs getters that load far more: `node:http` takes 31 ms with WebSockets, and 4 ms without.
 */
export function loadBuiltinsDirectly(): Plugin {
  return {
    name: 'load-builtins-directly',
    resolveId(specifier) {
      return specifier.startsWith('node:') && isBuiltin(specifier) ? `${prefix}${specifier.slice(5)}` : undefined;
    },
    load(id) {
      return id.startsWith(prefix)
        ? { code: writeModule(id.slice(prefix.length)), moduleSideEffects: false }
        : undefined;
    },
  };
}

function writeModule(name: string): string {
  const all = process.getBuiltinModule(name) as unknown as Readonly<Record<string, unknown>>;
  const load = `process.getBuiltinModule(${JSON.stringify(`node:${name}`)})`;
  const lines = Object.keys(all).flatMap((key) => {
    if (!/^[a-zA-Z_$][\w$]*$/.test(key) || key === 'default') return [];
    const isLater = costly.has(name) && /^[a-z]/.test(key) && typeof all[key] === 'function';
    return [
      isLater
        ? `export const ${key} = (...args) => ${load}.${key}(...args);`
        : // A call, because only calls can be marked as free of effects, and are then omitted if unused.
          `export const ${key} = /* @__PURE__ */ (() => ${load}.${key})();`,
    ];
  });
  return [...lines, `export default /* @__PURE__ */ (() => ${load})();`].join('\n');
}
