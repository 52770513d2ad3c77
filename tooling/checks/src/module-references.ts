import { parseSync, Visitor } from 'oxc-parser';

/** A reference from a file to another module. */
export interface ModuleReference {
  readonly specifier: string;
  readonly line: number;
  /**
   * `url` is a file referenced by path, as in `new URL('./worker.ts', import.meta.url)`: not an import, but needed at
   * run time.
   */
  readonly form: 'import' | 'url';
}

/**
 * Finds every module that a TypeScript file references: static, type-only, re-exported, dynamic with a literal, and by
 * URL.
 */
export function findModuleReferences(text: string, path = 'file.ts'): readonly ModuleReference[] {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} does not parse: ${parsed.errors[0]?.message}`);
  const { staticImports, staticExports } = parsed.module;
  const named = [
    ...staticImports.map(({ moduleRequest, start }) => ({ specifier: moduleRequest.value, start })),
    ...staticExports.map(({ entries, start }) => ({ specifier: entries[0]?.moduleRequest?.value, start })),
  ];
  const found: ModuleReference[] = named.flatMap(({ specifier, start }) =>
    specifier === undefined ? [] : [{ specifier, line: lineAt(text, start), form: 'import' as const }],
  );
  // Walking the whole tree costs a hundred times as much, and only these two forms need it.
  if (/\bimport\s*\(|import\.meta/.test(text)) found.push(...findHiddenReferences(parsed.program, text));
  return found;
}

type Program = ReturnType<typeof parseSync>['program'];

function findHiddenReferences(program: Program, text: string): readonly ModuleReference[] {
  const found: ModuleReference[] = [];
  const judged = new Set<number>();
  const add = (specifier: string | undefined, start: number, form: ModuleReference['form']): void => {
    if (specifier !== undefined) found.push({ specifier, line: lineAt(text, start), form });
  };
  const skip = (source: { readonly start: number } | null | undefined): void => {
    if (source) judged.add(source.start);
  };
  new Visitor({
    ImportDeclaration: (node) => skip(node.source),
    ExportNamedDeclaration: (node) => skip(node.source),
    ExportAllDeclaration: (node) => skip(node.source),
    ImportExpression: (node) => {
      skip(node.source);
      add(textOf(node.source), node.start, 'import');
    },
    TSImportType: (node) => {
      skip(node.source);
      add(textOf(node.source), node.start, 'import');
    },
    NewExpression: (node) => {
      const [target, base] = node.arguments;
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
      if (!isUrl || base?.type !== 'MemberExpression' || base.object.type !== 'MetaProperty') return;
      skip(target);
      // A URL without a base is relative to this file.
      add(textOf(target)?.replace(/^(?![./]|\w+:)/, './'), node.start, 'url');
    },
    Literal: (node) => {
      const file = textOf(node);
      if (!judged.has(node.start) && file !== undefined && /^\.{1,2}\/[\w./-]+\.[jt]s$/.test(file)) {
        add(file, node.start, 'url');
      }
    },
  }).visit(program);
  return found;
}

/** Returns the line of an offset, counted from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function textOf(node: unknown): string | undefined {
  const candidate = node as { readonly type?: string; readonly value?: unknown } | undefined;
  return candidate?.type === 'Literal' && typeof candidate.value === 'string' ? candidate.value : undefined;
}
