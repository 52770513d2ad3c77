import { parseSync, Visitor } from 'oxc-parser';

import { lineAt } from './module-references.ts';
import type { Problem } from './problem.ts';

/** A phrase that readers have to read twice, and what to write instead. */
interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

const phrases: readonly Phrase[] = [
  { pattern: /\b(?:is|are|was|were) none\b/gi, instead: 'Write "is missing", "is not a …" or "no …"' },
  { pattern: /\bof which\b/gi, instead: 'Write two sentences' },
  { pattern: /(?<!so )\bthat there (?:is|are|was|were)\b/gi, instead: 'Name the thing' },
  { pattern: /\b(?:nobody|somebody|whoever|whomever)\b/gi, instead: 'Name the caller, the user or the process' },
  { pattern: /\bthat which\b/gi, instead: 'Name the thing' },
  { pattern: /\bin vain\b/gi, instead: 'Write "without success" or name the failure' },
];

/** Words of the retired dialect. A name must not contain one of them as a word. */
const retiredWords = new Set(
  [
    'desk board shelf workshop keeper crowd crowded turnstile circumstances road',
    'tidily plainly vain starved tame tamed taint tainted careful doors losses',
    'tell told hear heard must',
    'stretch stretches talk spared noise doubt doubts doubted doubtful',
  ].flatMap((line) => line.split(' ')),
);
/** Words that limits and defaults must not begin with; a local variable may hold, say, the longest match. */
const retiredLimitWords = new Set(['usual', 'most', 'longest', 'deepest']);

/** Finds phrases and names of the retired dialect in a file: comments, messages, test titles, names, and documents. */
export function findDialect(file: { readonly path: string; readonly text: string }): readonly Problem[] {
  if (file.path.endsWith('.md')) return findInDocument(file.path, file.text);
  return /\.(?:ts|tsx|mts|js|mjs)$/.test(file.path) ? findInSource(file.path, file.text) : [];
}

function findInDocument(path: string, text: string): readonly Problem[] {
  return [...findInFileName(path), ...findPhrases(path, text, text, 0)];
}

function findInSource(path: string, text: string): readonly Problem[] {
  if (!mayHoldDialect(text)) return findInFileName(path);
  const { comments, program } = parseSync(path, text);
  const problems: Problem[] = [...findInFileName(path)];
  const isTest = /\.test(?:-d)?\.ts$/.test(path);
  for (const comment of comments) problems.push(...findPhrases(path, text, comment.value, comment.start));
  const checkProse = (value: unknown, start: number): void => {
    if (typeof value === 'string') problems.push(...findPhrases(path, text, value, start));
  };
  const checkName = (node: Named | null | undefined, isShared = true): void => {
    if (node?.type !== 'Identifier' || node.name === undefined) return;
    const where = `${path}:${lineAt(text, node.start)}`;
    const word = findRetiredWord(node.name, isShared);
    if (word !== undefined) {
      problems.push({ where, what: `the name \`${node.name}\` holds the retired word "${word}"`, remedy });
    }
  };
  const checkConstant = (node: Named): void => {
    checkName(node);
    if (node.type !== 'Identifier' || !/^[A-Z][A-Z0-9_]+$/.test(node.name ?? '')) return;
    const where = `${path}:${lineAt(text, node.start)}`;
    problems.push({ where, what: `the constant \`${node.name}\` is in capitals`, remedy: 'Write it in camelCase' });
  };
  const checkFunction = (node: { readonly id?: Named | null; readonly params: readonly Named[] }): void => {
    checkName(node.id);
    for (const each of node.params) checkName(each, false);
  };
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id } of declared.declarations) checkConstant(id);
  }
  new Visitor({
    VariableDeclaration: ({ declarations }) => {
      for (const { id } of declarations) checkName(id, false);
    },
    FunctionDeclaration: (node) => checkFunction(node),
    FunctionExpression: (node) => checkFunction(node),
    ArrowFunctionExpression: (node) => checkFunction(node),
    ClassDeclaration: ({ id }) => checkName(id),
    MethodDefinition: ({ key }) => checkName(key as Named),
    PropertyDefinition: ({ key }) => checkName(key as Named),
    TSInterfaceDeclaration: ({ id }) => checkName(id),
    TSTypeAliasDeclaration: ({ id }) => checkName(id),
    TSPropertySignature: ({ key }) => checkName(key as Named),
    TSMethodSignature: ({ key }) => checkName(key as Named),
    ...(isTest
      ? {
          CallExpression: ({ callee, arguments: [title] }) => {
            if (!isTestRunner(callee)) return;
            if (title?.type === 'Literal') checkProse(title.value, title.start);
            if (title?.type === 'TemplateLiteral') checkProse(text.slice(title.start, title.end), title.start);
          },
        }
      : // Skips fixtures and corpora, which imitate texts of others. Only sources speak to our users.
        !isData(path) && {
          Literal: ({ value, start }) => checkProse(value, start),
          TemplateElement: ({ value, start }) => checkProse(value.cooked, start),
        }),
  }).visit(program);
  return problems;
}

/** Returns whether a file is worth parsing, which takes most of the time: it has a phrase, or a word that may be a name. */
function mayHoldDialect(text: string): boolean {
  if (phrases.some(({ pattern }) => text.search(pattern) !== -1)) return true;
  // Lines of a comment hold no names.
  const code = text.replaceAll(/^\s*(?:\/\/|\/\*|\* |\*\/).*$/gm, '');
  if (/(?<![\w$])[A-Z][A-Z0-9_]+\s*[=:]/.test(code)) return true;
  return [...new Set(code.match(/[A-Za-z$_][\w$]*/g))].some((word) => findRetiredWord(word) !== undefined);
}

interface Named {
  readonly type: string;
  readonly name?: string;
  readonly start: number;
}

const remedy = 'Use the term of docs/glossary.md or of the field';

function findInFileName(path: string): readonly Problem[] {
  const word = findRetiredWord(path.slice(path.lastIndexOf('/') + 1));
  return word === undefined ? [] : [{ where: path, what: `the file name holds the retired word "${word}"`, remedy }];
}

/** Returns the retired word in a name written in camelCase, kebab-case or CONSTANT_CASE. */
function findRetiredWord(name: string, isShared = true): string | undefined {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (isShared && words.length > 1 && retiredLimitWords.has(words[0] ?? '')) return words[0];
  return words.find((word) => retiredWords.has(word));
}

function findPhrases(path: string, text: string, prose: string, start: number): readonly Problem[] {
  return phrases.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].map((match) => ({
      where: `${path}:${lineAt(text, start + match.index)}`,
      what: `it says "${match[0]}"`,
      remedy: instead,
    })),
  );
}

function isTestRunner(callee: { readonly type: string }): boolean {
  if (callee.type === 'Identifier' && 'name' in callee) return /^(?:describe|it|test)$/.test(String(callee.name));
  if (callee.type === 'MemberExpression' && 'object' in callee) return isTestRunner(callee.object as { type: string });
  return callee.type === 'CallExpression' && 'callee' in callee && isTestRunner(callee.callee as { type: string });
}

function isData(path: string): boolean {
  return /\/fixtures\/|^tooling\/(?:corpora|attack|fuzz|peers)\//.test(path);
}
