import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

let hooked = false;

/**
 * Imports a package without type declarations; only the requested shape is known. Removes the types of packages that
 * are published as TypeScript, which Node refuses to run from `node_modules`.
 */
export async function importPackage<Exports>(name: string): Promise<Exports> {
  if (!hooked) {
    registerHooks({
      resolve(specifier, context, next) {
        const fromTypeScript =
          context.parentURL?.includes('/node_modules/') === true && context.parentURL.endsWith('.ts');
        // Such packages import files without an extension, as compilers allow.
        return next(fromTypeScript && /^\.[^.]*\/[\w-]+$/.test(specifier) ? `${specifier}.ts` : specifier, context);
      },
      load(url, context, next) {
        if (!url.includes('/node_modules/') || !url.endsWith('.ts')) return next(url, context);
        const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'), { mode: 'transform' });
        return { format: 'module', source, shortCircuit: true };
      },
    });
    hooked = true;
  }
  return (await import(name)) as Exports;
}
