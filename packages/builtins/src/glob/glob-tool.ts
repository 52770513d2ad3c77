import { join, relative, sep } from 'node:path';
import { failure, success, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../define-builtin.ts';
import { treeKeys } from '../footprint-keys.ts';
import { folderAliases } from '../path-aliases.ts';
import { findStart, notFolder } from '../search/find-start.ts';
import { matchPaths } from '../search/match-paths.ts';
import { compilePathPattern } from '../search/path-pattern.ts';
import { keepPermitted } from '../search/permitted-files.ts';
import { count, describeGaps, describeIgnored } from '../search/search-notes.ts';
import { startSearchTime } from '../search/search-time.ts';
import { createWalkReport, walkFolders } from '../search/walk-folders.ts';
import { showPath } from '../show-path.ts';
import { readsFiles } from '../tool-traits.ts';

const usualLimit = 200;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'A glob such as "**/*.ts" or "src/**/*.{json,yaml}", matched against paths below path. Without a slash it matches names at any depth.',
    ),
  path: z.string().optional().describe('The folder to search. Default: the working directory.'),
  limit: z.int().min(1).max(10_000).optional().describe('The most paths to return. Default 200.'),
  output: z
    .enum(['labeled', 'json'])
    .optional()
    .describe('"labeled" (default) for one path a line, "json" for an array of paths.'),
});

/** Makes the `glob` tool: files by the pattern of their path. */
export function createGlobTool(dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createGlobTool', dependencies, {
    name: 'glob',
    title: 'Find files',
    description:
      'Finds files by a pattern of their path, sorted. Files that .gitignore names, .git and node_modules are left out unless path lies inside them. ' +
      'To search what files hold use grep.',
    input,
    kind: 'read',
    traits: readsFiles,
    aliases: {
      pattern: ['glob', 'glob_pattern', 'query'],
      path: ['cwd', 'root', ...folderAliases],
      limit: ['max_results', 'maxResults', 'head_limit'],
    },
    footprint: ({ path }, cwd) => ({ reads: treeKeys(cwd, path ?? '.') }),
    initialTitle: ({ pattern, path }) => `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    run: find,
  });
}

async function find(args: z.output<typeof input>, { context, workspace, place }: BuiltinCall): Promise<ToolResult> {
  const { callId, signal } = context;
  const pattern = compilePathPattern(args.pattern);
  if (!pattern.ok) return failure(callId, pattern.error);
  const start = await findStart(place(args.path ?? '.'));
  if (!start.ok) return failure(callId, start.error);
  if (start.kind !== 'directory') return failure(callId, notFolder(start.shown, 'Give the folder to search as path.'));

  const limit = args.limit ?? usualLimit;
  const isOver = startSearchTime(context);
  const walk = createWalkReport();
  const paths: string[] = [];
  let total = 0;
  let refused = 0;
  let isPartial = false;
  for await (const folder of walkFolders(workspace.readRoots, start.path, walk, signal)) {
    const below = relative(start.path, folder.path).replaceAll(sep, '/');
    const names = folder.files.map((name) => (below === '' ? name : `${below}/${name}`));
    const matching = await matchPaths(pattern, names, isOver, signal);
    const found = folder.files.filter((_, index) => matching.has(names[index]!)).map((name) => join(folder.path, name));
    const permitted = await keepPermitted(context, `Find files in ${showPath(workspace.cwd, folder.path)}`, found);
    refused += found.length - permitted.length;
    total += permitted.length;
    paths.push(...permitted.slice(0, limit - paths.length).map((path) => showPath(workspace.cwd, path)));
    isPartial = isOver();
    if (isPartial) break;
  }

  const notes = [...describeGaps(workspace.cwd, { walk, unreadable: [], refused, isPartial })];
  if (total > paths.length)
    notes.unshift(`${total - paths.length} more; narrow the pattern, or raise limit (now ${limit}).`);
  if (total === 0) notes.push(describeIgnored(walk));
  const shownNotes = notes.filter((note) => note !== '');
  const extras = {
    summary: `Found: ${count(total, 'file')} for ${args.pattern}`,
    metadata: {
      pattern: args.pattern,
      path: start.shown,
      total,
      shown: paths.length,
      refused,
      ignored: walk.ignored,
      isPartial,
    },
  };
  if (args.output === 'json')
    return success(callId, [{ type: 'json', value: paths }], { ...extras, structured: paths, advisories: shownNotes });
  const head = total === 0 ? [`No path below ${start.shown} matches ${args.pattern}`] : paths;
  return success(callId, [...head, ...shownNotes.map((note) => `[${note}]`)].join('\n'), extras);
}
