import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

let hooked = false;

/**
 * Imports a package of which only the shape that is asked for is known. Packages that are published as TypeScript, which
 * Node refuses to run from `node_modules`, have their types taken out on the way.
 */
export async function importPackage<Exports>(name: string): Promise<Exports> {
  if (!hooked) {
    registerHooks({
      resolve(specifier, context, next) {
        const fromTypeScript =
          context.parentURL?.includes('/node_modules/') === true && context.parentURL.endsWith('.ts');
        // Such packages name their files without an extension, as compilers allow.
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
