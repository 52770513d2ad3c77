import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseSync, Visitor } from 'oxc-parser';

import { lineAt } from './module-references.ts';
import type { Problem } from './problem.ts';
import { repositoryRoot } from './workspace.ts';

/** A file that git tracks or would track. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads every text file that git tracks or would track. Throws if git lists no file, because a check that cannot run
 * must fail.
 */
export function readRepositoryFiles(): readonly RepositoryFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      cwd: repositoryRoot,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const files = listed.split('\0').flatMap((path): readonly RepositoryFile[] => {
    const text = path === '' ? undefined : readText(join(repositoryRoot, path));
    return text === undefined ? [] : [{ path, text }];
  });
  if (files.length === 0) throw new Error('git lists no file, so there is nothing to check');
  return files;
}

function readText(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    // The file was deleted, but the deletion is not committed yet.
    return undefined;
  }
}

/**
 * The folders of this machine that no file may name: the repository and its parent folder. A short path such as `/tmp`
 * identifies no machine, so a path needs at least two segments.
 */
export function machinePaths(root: string = repositoryRoot): readonly string[] {
  return [root, dirname(root)].filter((path) => path.split(/[\\/]/).filter((part) => part !== '').length > 1);
}

/** Finds text that belongs to a machine or a moment instead of the project: paths, registries, notes to self. */
export function findStrayWords(file: RepositoryFile, paths: readonly string[]): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (index: number, what: string, remedy: string): void => {
    problems.push({ where: `${file.path}:${lineAt(file.text, index)}`, what, remedy });
  };
  for (const path of paths) {
    const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    for (const match of file.text.matchAll(new RegExp(`(?<![\\w./-])${escaped}(?:/|\\b)`, 'g'))) {
      report(match.index, `it names the folder ${path} of one machine`, 'Use a path relative to the repository');
    }
  }
  for (const match of file.text.matchAll(
    /https?:\/\/([\w.-]*(?:registry|artifactory|nexus|verdaccio|jfrog)[\w.-]*)/g,
  )) {
    report(match.index, `it names the registry ${match[1]}`, 'Configure the registry outside the repository');
  }
  if (/(?:^|\/)pnpm-lock\.yaml$/.test(file.path)) {
    const address = /tarball: *\S+/.exec(file.text);
    if (address !== null)
      report(address.index, `the lockfile holds ${address[0]}`, 'Install again without a private registry');
  }
  if (/\.(?:ts|mjs|js)$/.test(file.path)) {
    // Only in comments, because a string may contain such a word as an example.
    for (const comment of parseSync(file.path, file.text).comments) {
      const note = /\b(?:TODO|FIXME|XXX)\b/.exec(comment.value)?.[0];
      if (note !== undefined) report(comment.start, `it says ${note}`, 'Do it, or describe the limit');
    }
  }
  return problems;
}

const runners = new Set(['it', 'test', 'describe', 'suite', 'bench']);
/** Conditions that state why a test is skipped. The reporter prints the skipped tests. */
const tellingCondition = /\b(?:is|has|can|needs)[A-Z]\w*|process\.platform|process\.env|process\.versions?/;

/** Finds tests that are singled out, disabled, or skipped under a condition that does not state the reason. */
export function findSilencedTests(file: RepositoryFile): readonly Problem[] {
  if (!/\.test(?:-d)?\.ts$/.test(file.path)) return [];
  const problems: Problem[] = [];
  new Visitor({
    MemberExpression: (node) => {
      const name = !node.computed && node.property.type === 'Identifier' ? node.property.name : '';
      if (!isRunner(node.object)) return;
      const where = `${file.path}:${lineAt(file.text, node.start)}`;
      if (name === 'only') problems.push({ where, what: 'it runs one test only', remedy: 'Remove `.only`' });
      if (name === 'skip' || name === 'todo' || name === 'fails') {
        problems.push({
          where,
          what: `a test is disabled by \`.${name}\``,
          remedy: 'Make it pass, delete it, or call `context.skip(reason)`',
        });
      }
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') return;
      const where = `${file.path}:${lineAt(file.text, node.start)}`;
      const condition = node.arguments[0];
      if (isRunner(callee.object) && /^(?:skipIf|runIf)$/.test(callee.property.name)) {
        const text = condition === undefined ? '' : file.text.slice(condition.start, condition.end);
        if (!tellingCondition.test(text)) {
          problems.push({
            where,
            what: `a test is skipped when \`${text}\``,
            remedy: 'Name the condition is…, has… or can…',
          });
        }
      }
      if (callee.property.name === 'skip' && !isRunner(callee.object) && condition === undefined) {
        problems.push({ where, what: 'a test skips itself without a reason', remedy: 'Pass `skip` the reason' });
      }
    },
  }).visit(parseSync(file.path, file.text).program);
  return problems;
}

function isRunner(node: unknown): boolean {
  const candidate = node as { readonly type?: string; readonly name?: string; readonly object?: unknown };
  if (candidate.type === 'Identifier') return runners.has(candidate.name ?? '');
  return candidate.type === 'MemberExpression' && isRunner(candidate.object);
}
