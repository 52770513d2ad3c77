import { failure, success, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { treeKeys } from '../../definition/footprint-keys.ts';
import { folderAliases } from '../../definition/path-aliases.ts';
import { findWalkStart, notFolder } from '../../search/walk/find-walk-start.ts';
import { readLetterCase } from '../../search/patterns/letter-case.ts';
import { compilePathFilter } from '../../search/names/path-filter.ts';
import { describeGaps, describeIgnored, describeStart } from '../../search/search-notes.ts';
import { count } from '../../count.ts';
import { startSearchTime } from '../../search/limit-search-time.ts';
import { createWalkReport, walkFolders } from '../../search/walk/walk-folders.ts';
import { walkIgnored } from '../../search/walk/walk-ignored.ts';
import { readsFiles } from '../../definition/tool-traits.ts';
import { findPaths, type FoundPaths } from './find-glob-paths.ts';

const defaultLimit = 200;
/** Limits of the search in ignored files: milliseconds and number of results. */
const maxIgnoredMs = 1_000;
const enoughIgnored = 20;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'A glob such as "**/*.ts" or "src/**/*.{json,yaml}", matched against paths below path. Without a slash it matches names at any depth.',
    ),
  path: z.string().optional().describe('The folder to search. Default: the working directory.'),
  exclude: z.string().optional().describe('Exclude paths that match this glob, such as "**/fixtures/**".'),
  include_dirs: z.boolean().optional().describe('Include folders, shown with a final slash. Default false.'),
  ignore_case: z.boolean().optional().describe('Ignore case. Default false.'),
  case_sensitive: z.boolean().optional().describe('The opposite of ignore_case; give only one of them.'),
  no_ignore: z.boolean().optional().describe('Include ignored files (.gitignore, node_modules). Default false.'),
  limit: z.int().min(1).max(10_000).optional().describe('Maximum number of paths. Default 200.'),
});

/** Creates the `glob` tool, which finds files by a path pattern. */
export function createGlobTool(dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createGlobTool', dependencies, {
    name: 'glob',
    title: 'Find files',
    description:
      'Finds files by a pattern of their path, sorted. Files that .gitignore, .ignore or .rgignore list, .git and node_modules are left out unless path is inside them or no_ignore is set; hidden files are included. ' +
      'To search file contents use grep.',
    input,
    kind: 'read',
    traits: readsFiles,
    aliases: {
      pattern: ['glob', 'glob_pattern', 'query'],
      path: ['cwd', 'root', ...folderAliases],
      exclude: ['exclude_pattern', 'ignore'],
      include_dirs: ['includeDirs', 'include_directories'],
      ignore_case: ['ignoreCase', 'case_insensitive', 'caseInsensitive'],
      case_sensitive: ['caseSensitive'],
      no_ignore: ['noIgnore', 'include_ignored'],
      limit: ['max_results', 'maxResults', 'head_limit'],
    },
    outputModes: true,
    renderModel: (output, { pattern }) => {
      const paths = output as readonly string[];
      return paths.length === 0 ? `Nothing matches ${pattern}` : paths.join('\n');
    },
    footprint: ({ path }, cwd) => ({ reads: treeKeys(cwd, path ?? '.') }),
    initialTitle: ({ pattern, path }) => `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    run: find,
  });
}

async function find(args: z.output<typeof input>, { context, workspace, place }: BuiltinCall): Promise<ToolResult> {
  const { callId, signal } = context;
  const letters = readLetterCase(args);
  if (!letters.ok) return failure(callId, letters.error);
  const filter = compilePathFilter({ ...args, include: args.pattern, ignoreCase: letters.ignoreCase });
  if (!filter.ok) return failure(callId, filter.error);
  const start = await findWalkStart(place(args.path ?? '.'));
  if (!start.ok) return failure(callId, start.error);
  if (start.kind !== 'directory') return failure(callId, notFolder(start.shown, 'Give the folder to search as path.'));

  const limit = args.limit ?? defaultLimit;
  const isOver = startSearchTime(context);
  const walk = createWalkReport();
  const noIgnore = args.no_ignore === true;
  const finding = { filter, includeDirectories: args.include_dirs === true, workspace, context };
  const folders = walkFolders(workspace.readRoots, start.path, walk, signal, { noIgnore });
  const found = await findPaths({ ...finding, limit, isOver }, folders);
  const { paths, total, refused, isPartial } = found;

  const notes = [...describeGaps(workspace.cwd, { walk, unreadable: [], refused, isPartial })];
  if (total > paths.length)
    notes.unshift(`${total - paths.length} more; narrow the pattern, or raise limit (now ${limit}).`);
  if (total === 0) {
    notes.unshift(`Nothing found${describeStart(start.shown)}.`);
    if (walk.ignored > 0) {
      const isTimeOver = startSearchTime(context, maxIgnoredMs);
      const isEnough = ({ total: soFar }: FoundPaths): boolean => soFar >= enoughIgnored;
      const ignored = await findPaths(
        { ...finding, limit: enoughIgnored, isOver: (soFar) => isTimeOver() || isEnough(soFar) || isOver() },
        walkIgnored(workspace.readRoots, walk.ignoredEntries, signal),
      );
      notes.push(describeIgnored(walk, { paths: ignored.paths, isPartial: ignored.isPartial }));
    }
  }
  return success(callId, [{ type: 'json', value: paths }], {
    structured: paths,
    advisories: notes,
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
  });
}
