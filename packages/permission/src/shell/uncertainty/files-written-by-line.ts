import { compileGlob } from '@haft/sandbox';
import type { ExpandedShell, RunCommand } from '../run/run-command.ts';
import { compileOptions, findValues } from '../programs/read-options.ts';
import type { RunWord } from '../run/run-word.ts';
import { isInput } from '../scripts/sed-script.ts';
import { isUnknownProgram } from '../dangers/unknown-programs.ts';
import { onlyReads } from '../programs/written-words.ts';

/** Files that a line writes, by their base names, because their paths can be written in many ways. */
export interface OwnFiles {
  readonly names: ReadonlySet<string>;
  /** Base names of the folders that contain the files, `.` for files without a folder. */
  readonly folders: ReadonlySet<string>;
  /** True if the line also writes files whose names it does not show. */
  readonly writesOthers: boolean;
}

const compilers =
  /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|ghc|go|tcc|javac|kotlinc|swiftc|zig|nim|ocamlc|ocamlopt|dmd|ldc2|gfortran)$/;
const outputs = compileOptions({ output: '-o= -O= --output= --output-document= --out=' });

/** Finds the files that a line writes. */
export function findOwnFiles({ commands, redirections }: ExpandedShell): OwnFiles {
  const names = new Set<string>();
  const folders = new Set<string>();
  let writesOthers = false;
  const add = ({ text }: RunWord): void => {
    if (text === '' || text === '-' || text.startsWith('/dev/')) return;
    names.add(lastName(text));
    folders.add(lastName(text.slice(0, Math.max(text.lastIndexOf('/'), 0)) || '.'));
  };
  for (const { operator, target } of redirections) if (operator.includes('>') && !operator.endsWith('&')) add(target);
  for (const { operator, target } of redirections)
    if (/^\d*>&$|^&>/.test(operator) && !/^[\d-]+$/.test(target.text)) add(target);
  const compiling: RunCommand[] = [];
  for (const run of commands) {
    const { program, args } = run;
    const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
    if (program === 'tee' || program === 'sponge' || program === 'truncate') for (const word of args) add(word);
    else if (/^(?:cp|mv|ln|install|rsync|scp|gcp|link)$/.test(program)) {
      const operands = args.filter(({ text }) => !text.startsWith('-'));
      const isNamed = has(/^(?:-t|--target)/);
      for (const word of isNamed ? operands : operands.slice(-1)) add(word);
      const [first, ...others] = operands;
      // Files that are copied into a folder keep their names.
      if (first && others.length > 0 && operands.at(-1)!.text.endsWith('/'))
        for (const word of operands.slice(0, -1)) add(word);
    } else if (program === 'dd') for (const word of args) add({ ...word, text: word.text.replace(/^of=/, '') });
    else if (/^(?:sed|gsed|perl|ruby)$/.test(program) && has(/^-[a-zA-Z]*i|^--in-p/))
      for (const word of args.slice(1)) add(word);
    else if (/^(?:npm|pnpm)$/.test(program) && has(/^pkg$/)) add({ ...args[0]!, text: 'package.json' });
    else if (program === 'split' || program === 'csplit') writesOthers = true;
    else if (program === 'patch' || (program === 'git' && has(/^(?:apply|am)$/)))
      writesOthers ||= isFed(run) || !has(/\.(?:patch|diff|mbox)$/);
    else if (/^(?:ed|ex)$/.test(program)) for (const word of args) add(word);
    if (compilers.test(program)) compiling.push(run);
    else for (const word of findValues(args, outputs)) add(word);
  }
  for (const { args } of compiling) {
    if (!args.some(({ text }) => names.has(lastName(text)) || isInput(text))) continue;
    for (const word of findValues(args, outputs)) add(word);
    names.add('a.out');
  }
  return { names, folders, writesOthers };
}

function isFed({ command }: RunCommand): boolean {
  return command.redirections.some(({ operator }) => operator.startsWith('<'));
}

/** Returns whether a word may be a file that the line writes, or a folder with such a file. */
export function isOwn({ text, glob }: RunWord, { names, folders, writesOthers }: OwnFiles): boolean {
  if (writesOthers) return true;
  if (names.size === 0) return false;
  const name = lastName(text);
  if (glob !== undefined) {
    const matcher = compileGlob(lastName(glob), { braces: false });
    return !matcher.ok || [...names].some((own) => matcher.matches(own));
  }
  if (names.has(name) || folders.has(name === '..' ? '.' : name)) return true;
  // A script may be named without its extension.
  for (const own of names) if (own.startsWith(`${name}.`)) return true;
  return false;
}

/** Returns whether `-m` names a module that the line writes. */
export function isOwnModule(module: string, { names, folders, writesOthers }: OwnFiles): boolean {
  if (writesOthers) return true;
  return module.split('.').some((name) => names.has(`${name}.py`) || folders.has(name));
}

const node =
  /^(?:package\.json|\.npmrc|\.yarnrc.*|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml|turbo\.json|nx\.json)$/;
/** Configuration files of JavaScript tools that are programs. */
const settings =
  /^[\w.-]+\.config\.[cm]?[jt]s$|^\.(?:\w+rc|pnpmfile)\.[cm]?js$|^(?:gulpfile|gruntfile)(?:\.\w+)?\.[cm]?[jt]s$/i;
const nodeTests = /\.(?:test|spec)\.[cm]?[jt]sx?$|^(?:jest|vitest|vite|mocha|babel|ava|\.mocharc)\b/;

const nodeOrSettings = new RegExp(`${node.source}|${settings.source}`, 'i');

/** Files that a program runs without being given their names. */
const runsByName: ReadonlyMap<string, RegExp> = new Map([
  ...'npm pnpm yarn bun npx bunx pnpx corepack turbo nx lerna'.split(' ').map((name) => [name, node] as const),
  ...(
    'npm npx pnpm yarn bunx eslint prettier stylelint webpack rollup vite babel postcss tailwindcss next nuxt astro gulp grunt ' +
    'playwright cypress commitlint lint-staged remix metro tsup'
  )
    .split(' ')
    .map((name) => [name, /^(?:npm|npx|pnpm|yarn|bunx)$/.test(name) ? nodeOrSettings : settings] as const),
  ...'jest vitest mocha ava tap tape'.split(' ').map((name) => [name, nodeTests] as const),
  ...'make gmake bmake'.split(' ').map((name) => [name, /^(?:gnu)?makefile|\.ma?k$/i] as const),
  ['fab', /^fabfile\.py$/],
  ...'inv invoke'.split(' ').map((name) => [name, /^tasks\.py$/] as const),
  ['scons', /^sconstruct$/i],
  ['ant', /^build\.(?:xml|properties)$|\.java$/],
  ['sbt', /\.(?:sbt|scala)$|^build\.properties$/],
  ['mill', /\.(?:sc|mill|scala)$/],
  ...'bazel bazelisk buck buck2 please'
    .split(' ')
    .map((name) => [name, /^(?:build|buck|workspace|module)(?:\.bazel)?$|\.(?:bzl|bazel|bazelrc)$/i] as const),
  ['zig', /\.zig(?:\.zon)?$|\.c(?:pp)?$/],
  ...'dart flutter'.split(' ').map((name) => [name, /\.dart$|^pubspec\.yaml$/] as const),
  ['odin', /\.odin$/],
  ...'crystal shards'.split(' ').map((name) => [name, /\.cr$|^shard\.yml$/] as const),
  ...'nim nimble'.split(' ').map((name) => [name, /\.nim(?:s|ble)?$/] as const),
  ['v', /\.v(?:sh)?$/],
  ...'instantfpc fpc lazbuild'.split(' ').map((name) => [name, /\.(?:pas|pp|lpr|lpi)$/] as const),
  ...'wasmtime wasmer wasm3 wamr iwasm wasmedge'.split(' ').map((name) => [name, /\.wa(?:t|sm)$/] as const),
  ...'nodemon pm2 forever node-dev ts-node-dev tsnd supervisor'
    .split(' ')
    .map((name) => [name, /\.[cm]?[jt]sx?$|^nodemon\.json$/] as const),
  ...'gs gsnd gsx ghostscript rungs'.split(' ').map((name) => [name, /\.e?ps$/] as const),
  ['lein', /^project\.clj$/],
  ['bb', /^bb\.edn$/],
  ['meson', /^meson\.build$/],
  ['dune', /^dune/],
  ['rebar3', /^rebar\.config$/],
  ['vagrant', /^vagrantfile$/i],
  ['foreman', /^procfile$/i],
  ['prove', /\.(?:t|pl)$/],
  ...'nix nix-build nix-shell'.split(' ').map((name) => [name, /\.nix$/] as const),
  ...'gunicorn uvicorn flask celery'.split(' ').map((name) => [name, /\.py$/] as const),
  ['just', /^\.?justfile$/i],
  ['task', /^taskfile\.ya?ml$/i],
  ['rake', /^rakefile$|\.rake$|\.rb$/i],
  ['bundle', /^gemfile$/i],
  ['rspec', /\.rb$|^\.rspec$/],
  ['cargo', /\.rs$|^(?:cargo|config)\.toml$/i],
  ['go', /\.go$|^go\.mod$/],
  ...'pytest py.test tox nox'
    .split(' ')
    .map((name) => [name, /\.py$|^(?:tox|pytest|setup)\.(?:ini|cfg)$|^pyproject\.toml$/] as const),
  ...'pip pip3 uv poetry pdm hatch'.split(' ').map((name) => [name, /^setup\.(?:py|cfg)$|^pyproject\.toml$/] as const),
  ...'gradle gradlew'
    .split(' ')
    .map((name) => [name, /\.gradle(?:\.kts)?$|\.(?:java|kt)$|^gradle(?:-wrapper)?\.(?:properties|jar)$/] as const),
  // The output of a compiler has another name than its source.
  ...'java javaw kotlin scala'.split(' ').map((name) => [name, /\.(?:java|kts?|scala|class|jar)$/] as const),
  ['mvn', /^pom\.xml$|\.(?:java|kt)$/],
  ...'cmake ctest'.split(' ').map((name) => [name, /^cmakelists\.txt$|\.cmake$/i] as const),
  ['ninja', /\.ninja$/],
  ['dotnet', /\.(?:cs|fs|vb)(?:proj)?$/],
  ['swift', /\.swift$/],
  ['mix', /\.exs?$/],
  ...'phpunit composer'.split(' ').map((name) => [name, /\.php$|^composer\.json$/] as const),
  ...'terraform tofu'.split(' ').map((name) => [name, /\.tf$/] as const),
  ['node', /\.(?:test|spec)\.[cm]?[jt]s$|^test|^package\.json$/],
  ['deno', /^deno\.jsonc?$|(?:_test|\.test)\.[cm]?[jt]sx?$/],
]);
const scriptOptions = compileOptions({
  script: '-f= -x= -S= -E= -s= --file= --command= --makefile= --source= --script=',
});
const takesScripts =
  /^(?:[gmn]?awk|g?sed|psql|mysql|mariadb|gdb|lldb|[gn]?vim?|ex|make|gmake|just|expect|ansible-playbook|docker)$/;

/** Returns whether a command that is neither a shell nor a language runtime runs a file that the line writes. */
export function runsOwnFile(run: RunCommand, own: OwnFiles): boolean {
  const { program, args } = run;
  const { names } = own;
  if (names.size === 0) return false;
  // If an option loads code, the kind of program and whether it only reads do not matter.
  const isUnknown = run.isDirect && isUnknownProgram(run);
  for (const [index, { text }] of args.entries()) {
    const given = /^--?[\w-]+=([^]*)$/.exec(text)?.[1];
    const isLoaded =
      given === undefined
        ? loadsCode.test(args[index - 1]?.text ?? '')
        : loadsCode.test(text.slice(0, text.indexOf('=')));
    const name = lastName(given ?? text);
    if ((isUnknown || (isLoaded && !onlyReads(run))) && isCode.test(name) && names.has(name)) return true;
  }
  const runs = runsByName.get(program);
  if (runs) {
    for (const name of names) if (runs.test(name)) return true;
    if (
      program !== 'node' &&
      args.some(
        ({ text }) =>
          /\.\w+$/.test(text) &&
          names.has(lastName(text)) &&
          !/^package(?:-lock)?\.json$/.test(text) &&
          isCode.test(text),
      )
    )
      return true;
  }
  if (takesScripts.test(program) && findValues(args, scriptOptions).some(({ text }) => names.has(lastName(text))))
    return true;
  return (
    /^sqlite3?$|^duckdb$/.test(program) && args.some(({ text }) => /^\.read\s/.test(text) && names.has(lastName(text)))
  );
}

/** Options that load code, or configuration that is code. */
const loadsCode =
  /^--?(?:[crupPfxSl]|config(?:-file)?|require|import|plugins?|parser|format(?:ter)?|reporters?|runner|preset|setup\w*|spec|use|init|script|load|file|gulpfile|gruntfile|python)$/;
const isCode =
  /\.(?:[cm]?[jt]sx?|py|sql|lisp|scm|clj|sc|scala|groovy|kts|tcl|el|vim|nix|nim|zig|d|cr|v|hs|ml|jl|r|m|bat|ps1|bc|tmux|rb|php|go|rs|sh|lua|pl|exs?|swift|kts?|java|cs|fs|tf|gradle|mk)$/;

function lastName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.search(/[^/\s]*$/)) || trimmed;
}
