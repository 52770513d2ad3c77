import nodeModule, { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';

/** One load of a plugin's modules. */
export interface ModuleVersion {
  /** Absolute paths of the files that this load reached, in this order, beginning with the entry. */
  readonly files: ReadonlySet<string>;
  /**
   * Imports the entry, and everything that it imports, as a new load. Resolves to the exports of the entry. May never
   * settle.
   */
  import(): Promise<Readonly<Record<string, unknown>>>;
}

interface Reached {
  readonly files: Set<string>;
  readonly hostPackages: readonly string[];
  readonly bases: readonly string[];
  readonly stripped: Readonly<Record<string, string>>;
}

const marker = 'haft-plugin';
const versions = new Map<string, Reached>();
let counter = 0;
let hooked = false;

type Import = (url: string) => Promise<Readonly<Record<string, unknown>>>;
const untouched: string = 'data:text/javascript,export default (url) => import(url)';
let importing: Promise<Import> | undefined;

/**
 * Imports through a module that bundlers and test runners do not rewrite, so that Node's own loader and the hook below
 * load the plugins.
 */
async function importNatively(url: string): Promise<Readonly<Record<string, unknown>>> {
  importing ??= (import(untouched) as Promise<{ readonly default: Import }>).then((module) => module.default);
  return (await importing)(url);
}

/** Checks whether this program can load plugins. Older versions of Node lack the function. */
export function hasModuleHooks(): boolean {
  return typeof nodeModule.registerHooks === 'function';
}

function hookOnce(): void {
  if (hooked) return;
  hooked = true;
  nodeModule.registerHooks({ resolve: resolveForPlugin });
}

let takesStripped = false;

/** Registers the load hook, which is not needed as long as no plugin has stripped sources. */
function takeStripped(): void {
  if (takesStripped) return;
  takesStripped = true;
  nodeModule.registerHooks({ load: loadForPlugin });
}

/**
 * Prepares a fresh load of a plugin. Node never unloads a module, so each load gets unique URLs: a query that the
 * resolve hook passes on from a file to the files it imports by path. Packages are not loaded again.
 *
 * @param hostPackages names of packages that a plugin may import from the host.
 * @param bases files of the host, whose locations determine where those packages are found.
 * @param stripped JavaScript of files whose types were already stripped, by path.
 */
export function createModuleVersion(
  entry: string,
  hostPackages: readonly string[],
  bases: readonly string[] = hostBases(),
  stripped: Readonly<Record<string, string>> = {},
): ModuleVersion {
  hookOnce();
  if (Object.keys(stripped).length > 0) takeStripped();
  counter += 1;
  const token = String(counter);
  const files = new Set([entry]);
  versions.set(token, { files, hostPackages, bases, stripped });
  return {
    files,
    import: () => {
      forgetCommonJs(entry);
      return importNatively(withToken(pathToFileURL(entry).href, token));
    },
  };
}

/**
 * Files that determine where the packages of this program are found: its own main file, or a file in the working
 * directory.
 */
export function hostBases(): readonly string[] {
  return [...(process.argv[1] === undefined ? [] : [process.argv[1]]), join(process.cwd(), 'plugin.mjs')];
}

type ResolveHook = NonNullable<Parameters<typeof nodeModule.registerHooks>[0]['resolve']>;

const resolveForPlugin: ResolveHook = (specifier, context, next) => {
  const token = tokenOf(context.parentURL);
  const version = token === undefined ? undefined : versions.get(token);
  if (token === undefined || version === undefined) return next(specifier, context);
  if (isPath(specifier)) {
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith('file:') || resolved.url.includes('/node_modules/')) return resolved;
    version.files.add(fileURLToPath(resolved.url));
    return { ...resolved, url: withToken(resolved.url, token) };
  }
  if (specifier.startsWith('@haft/'))
    return resolveFromHost(version.bases, specifier, context, next) ?? next(specifier, context);
  try {
    return next(specifier, context);
  } catch (error) {
    const offered = version.hostPackages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    const resolved = offered ? resolveFromHost(version.bases, specifier, context, next) : undefined;
    if (resolved) return resolved;
    throw error;
  }
};

type LoadHook = NonNullable<Parameters<typeof nodeModule.registerHooks>[0]['load']>;

const loadForPlugin: LoadHook = (url, context, next) => {
  const token = tokenOf(url);
  const stripped = token === undefined ? undefined : versions.get(token)?.stripped;
  const path = stripped && url.startsWith('file:') ? fileURLToPath(url) : '';
  const source = stripped && Object.hasOwn(stripped, path) ? stripped[path] : undefined;
  const { format } = context;
  const isModule = format === 'module-typescript' || format === 'module' || (format == null && isModuleSyntax(source));
  return source !== undefined && isModule ? { format: 'module', source, shortCircuit: true } : next(url, context);
};

/** Messages of engines for module syntax in a file that is not a module. Node uses the same texts. */
const moduleSyntax: readonly unknown[] = [
  'Cannot use import statement outside a module',
  "Unexpected token 'export'",
  "Cannot use 'import.meta' outside a module",
];

/** Returns whether a file is a module although neither its name nor its package says so. */
function isModuleSyntax(source: string | undefined): boolean {
  if (source === undefined) return false;
  try {
    compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname']);
    return false;
  } catch (error) {
    return error instanceof Error && moduleSyntax.includes(error.message);
  }
}

/** Resolves a package from this package, the program's main file, or a file in the working directory. */
function resolveFromHost(
  bases: readonly string[],
  specifier: string,
  context: Parameters<ResolveHook>[1],
  next: Parameters<ResolveHook>[2],
): ReturnType<ResolveHook> | undefined {
  const own = import.meta.url;
  // When this package runs from source, the packages beside it have no build to resolve to.
  const conditions = own.endsWith('.ts') ? [...context.conditions, '@haft/source'] : context.conditions;
  for (const parentURL of [own, ...bases.map((base) => pathToFileURL(base).href)]) {
    try {
      return next(specifier, { ...context, conditions, parentURL });
    } catch {
      // The next base may resolve it.
    }
  }
  return undefined;
}

function isPath(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier) || specifier.startsWith('file:');
}

function tokenOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.includes(marker)) return undefined;
  return new URL(url).searchParams.get(marker) ?? undefined;
}

function withToken(url: string, token: string): string {
  const marked = new URL(url);
  marked.searchParams.set(marker, token);
  return marked.href;
}

/**
 * CommonJS modules are cached by path, regardless of their URL. Removes those below the plugin's folder from the cache.
 */
function forgetCommonJs(entry: string): void {
  const { cache } = createRequire(entry);
  const folder = entry.slice(0, entry.lastIndexOf(sep) + 1);
  for (const path of Object.keys(cache))
    if (path.startsWith(folder) && !path.includes(`${sep}node_modules${sep}`)) delete cache[path];
}
