import { toolError, type ToolError } from '@haft/core';

/** A file type, with the names of its files. */
export interface FileType {
  readonly ok: true;
  has(name: string): boolean;
}

/** Extensions without their dot, in any letter case. A word with a capital letter is a whole file name. */
const types: Readonly<Record<string, string>> = {
  c: 'c h',
  clojure: 'clj cljc cljs edn',
  cmake: 'cmake CMakeLists.txt',
  cpp: 'cpp cc cxx c++ hpp hh hxx h++ h inl',
  csharp: 'cs csx',
  css: 'css scss sass less',
  csv: 'csv tsv',
  dart: 'dart',
  docker: 'dockerfile Dockerfile Containerfile',
  elixir: 'ex exs eex heex',
  elm: 'elm',
  erlang: 'erl hrl',
  fsharp: 'fs fsi fsx',
  go: 'go',
  gradle: 'gradle',
  graphql: 'graphql gql',
  groovy: 'groovy',
  haskell: 'hs lhs',
  html: 'html htm xhtml',
  ini: 'ini cfg conf properties',
  java: 'java',
  js: 'js mjs cjs jsx',
  json: 'json jsonc json5 jsonl ndjson',
  julia: 'jl',
  kotlin: 'kt kts',
  lua: 'lua',
  make: 'mk mak Makefile GNUmakefile',
  markdown: 'md mdx markdown',
  nix: 'nix',
  objc: 'm mm h',
  ocaml: 'ml mli',
  perl: 'pl pm t',
  php: 'php phtml',
  proto: 'proto',
  python: 'py pyi pyx',
  r: 'r rmd',
  ruby: 'rb rake gemspec Gemfile Rakefile',
  rust: 'rs',
  scala: 'scala sbt sc',
  shell: 'sh bash zsh fish ksh',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf tfvars',
  text: 'txt rst log',
  toml: 'toml',
  ts: 'ts mts cts tsx',
  vue: 'vue',
  web: 'html htm css scss less js mjs cjs jsx ts mts cts tsx vue svelte',
  xml: 'xml xsd xsl xslt svg plist',
  yaml: 'yaml yml',
  zig: 'zig',
};

const otherNames: Readonly<Record<string, string>> = {
  'c#': 'csharp',
  'c++': 'cpp',
  bash: 'shell',
  cs: 'csharp',
  dockerfile: 'docker',
  golang: 'go',
  hs: 'haskell',
  javascript: 'js',
  jsx: 'js',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  pl: 'perl',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  tf: 'terraform',
  tsx: 'ts',
  txt: 'text',
  typescript: 'ts',
  yml: 'yaml',
};

/** Returns the file type for a name that a model uses, in any letter case. `INVALID_ARGS` for unknown names. */
export function findFileType(given: string): FileType | { readonly ok: false; readonly error: ToolError } {
  const asked = given
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '');
  const name = Object.hasOwn(otherNames, asked) ? otherNames[asked]! : asked;
  if (!Object.hasOwn(types, name)) {
    return {
      ok: false,
      error: toolError('INVALID_ARGS', `type ${JSON.stringify(given.slice(0, 40))} is unknown`, {
        hint: `Use include with a glob instead, for example include "*.${/^[a-z0-9]+$/.test(asked) ? asked : 'ext'}". Known types: ${Object.keys(types).join(', ')}.`,
      }),
    };
  }
  const words = types[name]!.split(' ');
  const names = new Set(words.filter(isWholeName).map((word) => word.toLowerCase()));
  const endings = words.filter((word) => !isWholeName(word)).map((word) => `.${word}`);
  return {
    ok: true,
    has(file) {
      const lower = file.toLowerCase();
      return names.has(lower) || endings.some((ending) => lower.length > ending.length && lower.endsWith(ending));
    },
  };
}

function isWholeName(word: string): boolean {
  return /[A-Z]/.test(word);
}
