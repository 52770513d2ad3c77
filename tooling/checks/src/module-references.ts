import { parseSync, Visitor } from 'oxc-parser';

/** One place where a file names another module. */
export interface ModuleReference {
  readonly specifier: string;
  readonly line: number;
  /** `url` is `new URL('./worker.ts', import.meta.url)`: not an import, but the file is needed all the same. */
  readonly form: 'import' | 'url';
  readonly typeOnly: boolean;
}

/** Finds every module a TypeScript file names: static, type-only, re-exported, dynamic with a literal, and by URL. */
export function findModuleReferences(text: string, path = 'file.ts'): readonly ModuleReference[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const found: ModuleReference[] = [];
  const add = (specifier: unknown, at: number, form: ModuleReference['form'], typeOnly: boolean): void => {
    if (typeof specifier === 'string') found.push({ specifier, line: lineAt(text, at), form, typeOnly });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.start, 'import', node.importKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source?.value, node.start, 'import', node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source.value, node.start, 'import', node.exportKind === 'type'),
    ImportExpression: (node) => add(literal(node.source), node.start, 'import', false),
    TSImportType: (node) => add(node.source.value, node.start, 'import', true),
    NewExpression: (node) => {
      const [target, base] = node.arguments;
      const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
      if (isUrl && base?.type === 'MemberExpression' && base.object.type === 'MetaProperty') {
        add(literal(target), node.start, 'url', false);
      }
    },
  }).visit(program);
  return found;
}

/** The line of a position, counted from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function literal(node: unknown): unknown {
  const candidate = node as { readonly type?: string; readonly value?: unknown } | undefined;
  return candidate?.type === 'Literal' ? candidate.value : undefined;
}
