import { parseSync, Visitor } from 'oxc-parser';

import { lineAt } from './module-references.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** Functions of `node:fs` and `node:fs/promises` that only read, and cannot lead to a write. */
const looking = new Set(
  'constants existsSync access lstat opendir readdir readFile readlink realpath stat watch glob'.split(' '),
);

/**
 * Finds accesses to files and processes that bypass `@haft/sandbox`: resolving a path, writing through `node:fs`, or
 * starting a process. Tests may do all three.
 */
export function findReachProblems(workspacePackage: WorkspacePackage): readonly Problem[] {
  return listSourceFiles(workspacePackage)
    .filter((file) => file.role === 'shipped')
    .flatMap(({ path, text }) => {
      const { program } = parseSync(path, text);
      const problems: Problem[] = [];
      const report = (start: number, what: string, remedy: string): void => {
        problems.push({ where: `${workspacePackage.folder}/${path}:${lineAt(text, start)}`, what, remedy });
      };
      const pathModules = new Set<string>();
      new Visitor({
        ImportDeclaration: (node) => {
          const module = node.source.value.replace(/^node:/, '');
          if (node.importKind === 'type') return;
          judgeModule(module, node.start, report);
          for (const specifier of node.specifiers) {
            const whole = specifier.type !== 'ImportSpecifier';
            const imported =
              specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
                ? specifier.imported.name
                : '*';
            if (/^fs(?:\/promises)?$/.test(module)) judgeFileFunction(whole ? '*' : imported, specifier.start, report);
            if (!/^path(?:\/(?:posix|win32))?$/.test(module)) continue;
            if (imported === 'resolve')
              report(specifier.start, 'it imports `resolve` of node:path', 'Use `resolvePath` of @haft/sandbox');
            if (whole || imported === 'posix' || imported === 'win32') pathModules.add(specifier.local.name);
          }
        },
        ImportExpression: (node) => {
          const value = node.source.type === 'Literal' ? String(node.source.value) : '';
          const module = value.replace(/^node:/, '');
          judgeModule(module, node.start, report);
          if (/^fs(?:\/promises)?$/.test(module)) judgeFileFunction('*', node.start, report);
        },
        MemberExpression: (node) => {
          const name = !node.computed && node.property.type === 'Identifier' ? node.property.name : '';
          if (name === 'resolve' && node.object.type === 'Identifier' && pathModules.has(node.object.name)) {
            report(node.start, `it calls \`${node.object.name}.resolve\``, 'Use `resolvePath` of @haft/sandbox');
          }
        },
      }).visit(program);
      return problems;
    });
}

type Report = (start: number, what: string, remedy: string) => void;

function judgeModule(module: string, start: number, report: Report): void {
  if (module === 'child_process' || module === 'cluster') {
    report(
      start,
      `it imports node:${module}`,
      'Start processes with `runProcess` of @haft/sandbox, which ends them too',
    );
  }
  if (module === 'module')
    report(start, 'it imports node:module, which can load anything', 'Import what is needed by name');
}

function judgeFileFunction(name: string, start: number, report: Report): void {
  if (name === '*') report(start, 'it imports node:fs as a whole', 'Import the functions needed by name');
  else if (!looking.has(name))
    report(start, `it imports \`${name}\` of node:fs`, 'Change files through the confined functions of @haft/sandbox');
}
