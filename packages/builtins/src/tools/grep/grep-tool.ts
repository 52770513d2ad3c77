import { failure, success, toolError, type AnyTool, type ToolError, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { treeKeys } from '../../definition/footprint-keys.ts';
import { folderAliases } from '../../definition/path-aliases.ts';
import { findWalkStart } from '../../search/walk/find-walk-start.ts';
import { createPatternRunner, type PatternRunner } from '../../search/text/text-search-runner.ts';
import { PatternTooCostly } from '../../search/text/text-search-thread.ts';
import { startSearchTime } from '../../search/limit-search-time.ts';
import { describeIgnored } from '../../search/search-notes.ts';
import { count } from '../../count.ts';
import { readsFiles } from '../../definition/tool-traits.ts';
import { describeFindings } from './describe-grep-findings.ts';
import { compileSearch, type GrepArguments, type GrepSearch } from './compile-grep-search.ts';
import { listMatches, renderCounts, renderMatches, type GrepCount, type GrepMatch } from './render-grep-matches.ts';
import { searchFiles } from './grep-files.ts';
import { type FileSearchResult } from './grep-file-search.ts';
import { searchIgnored } from './grep-ignored-files.ts';

const lines = z.int().min(0).max(20).optional();

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'A JavaScript regular expression, matched line by line, such as "function\\s+\\w+". Put a backslash before special characters that are meant literally, or set fixed_strings.',
    ),
  path: z.string().optional().describe('The folder or file to search. Default: the working directory.'),
  include: z
    .string()
    .optional()
    .describe('Only files whose path matches this glob, such as "*.ts" or "src/**/*.json".'),
  exclude: z
    .string()
    .optional()
    .describe('Exclude files whose path matches this glob, such as "*.test.ts" or "**/fixtures/**".'),
  type: z.string().optional().describe('Only files of this type, such as "ts", "js", "python", "rust", "markdown".'),
  mode: z
    .enum(['content', 'files', 'count', 'files_with_matches'])
    .optional()
    .describe(
      '"content" (default) for matching lines, "files" for the paths of files that match, "count" for the number of matches in each.',
    ),
  fixed_strings: z.boolean().optional().describe('Search for pattern as plain text. Default false.'),
  ignore_case: z.boolean().optional().describe('Ignore case. Default false.'),
  case_sensitive: z.boolean().optional().describe('The opposite of ignore_case; give only one of them.'),
  multiline: z
    .boolean()
    .optional()
    .describe('Let a match include line breaks; write [\\s\\S] for any character. Default false.'),
  context: lines.describe('Lines to show before and after each match. Default 0.'),
  before: lines.describe('Lines to show before each match. Default: context.'),
  after: lines.describe('Lines to show after each match. Default: context.'),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Maximum number of matches, or of files in the other modes. Default 100.'),
  max_per_file: z.int().min(1).max(1_000).optional().describe('Maximum number of matches of one file. Default: limit.'),
  max_files: z.int().min(1).max(1_000).optional().describe('Maximum number of files with matches. Default: limit.'),
  no_ignore: z.boolean().optional().describe('Include ignored files (.gitignore, node_modules). Default false.'),
});

/** Argument names of other tool sets. */
const aliases = {
  pattern: ['query', 'regex', 'search', 'regexp'],
  path: ['root', ...folderAliases],
  include: ['glob', 'include_pattern', 'file_pattern'],
  exclude: ['exclude_pattern'],
  type: ['file_type'],
  mode: ['output_mode'],
  fixed_strings: ['literal', 'fixed', 'fixedStrings'],
  ignore_case: ['ignoreCase', 'case_insensitive', 'caseInsensitive', '-i'],
  case_sensitive: ['caseSensitive'],
  multiline: ['multi_line'],
  context: ['context_lines', '-C'],
  before: ['before_context', '-B'],
  after: ['after_context', '-A'],
  limit: ['max_results', 'maxResults', 'max_matches', 'head_limit', 'total_max_matches'],
  max_per_file: ['max_matches_per_file', 'max_count'],
  max_files: ['maxFiles'],
  no_ignore: ['noIgnore', 'include_ignored'],
};

/**
 * Creates the `grep` tool, which searches the lines of files with a regular expression.
 *
 * @example
 * import { createGrepTool } from '@haft/builtins';
 * import { createDispatcher, createWorkspace, renderForModel } from '@haft/core';
 * const { dispatch } = createDispatcher({ registry: [createGrepTool()], workspace: createWorkspace({ cwd: process.cwd() }) });
 * const found = await dispatch({ id: 'call_1', name: 'grep', arguments: { pattern: '"name": "@haft/builtins"', path: 'package.json' } });
 * renderForModel(found).includes('package.json'); // => true
 */
export function createGrepTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const runner = createPatternRunner();
  return defineBuiltin('createGrepTool', dependencies, {
    name: 'grep',
    title: 'Search in files',
    description:
      'Searches files line by line with a regular expression and returns the matching lines with their numbers, the paths of the files, or counts. ' +
      'Files that .gitignore, .ignore or .rgignore list, .git and node_modules are left out unless path is inside them or no_ignore is set; hidden files are included, binary ones skipped. To find files by name use glob.',
    input,
    kind: 'read',
    traits: readsFiles,
    aliases,
    outputModes: true,
    renderModel: (output, args) => render(output, args as unknown as GrepArguments),
    footprint: ({ path }, cwd) => ({ reads: treeKeys(cwd, path ?? '.') }),
    initialTitle: ({ pattern, path }) => `Search for ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    run: (args, call) => grep(args, call, runner),
  });
}

async function grep(args: GrepArguments, call: BuiltinCall, runner: PatternRunner): Promise<ToolResult> {
  const { context, workspace, place } = call;
  const { callId } = context;
  const search = compileSearch(args, startSearchTime(context));
  if (!search.ok) return failure(callId, search.error);
  const start = await findWalkStart(place(args.path ?? '.'));
  if (!start.ok) return failure(callId, start.error);

  let found: FileSearchResult;
  let ignored: string | undefined;
  try {
    found = await searchFiles(search, start, workspace, context, runner);
    const { walk } = found.gaps;
    if (found.matchedFiles === 0 && walk.ignored > 0)
      ignored = describeIgnored(walk, await searchIgnored(search, walk, `Search ${start.shown}`, call, runner));
  } catch (error) {
    if (!(error instanceof PatternTooCostly)) throw error;
    return failure(callId, tooCostly(args.pattern));
  }
  const [unreadable] = found.gaps.unreadable;
  if (start.kind !== 'directory' && unreadable !== undefined) {
    const { code } = unreadable;
    const error = toolError('READ_ERROR', `can't read ${start.shown} (${code})`, {
      hint: 'Choose another file.',
      details: { path: start.shown, sandboxCode: code },
    });
    return failure(callId, error);
  }

  const structured = listFindings(search, found);
  return success(callId, [{ type: 'json', value: structured }], {
    structured,
    advisories: [...describeFindings(search, found, start.shown, workspace.cwd), ...(ignored ? [ignored] : [])],
    summary:
      search.mode === 'files'
        ? `Found: ${count(found.matchedFiles, 'file')}`
        : `Found: ${count(found.matches, 'match', 'matches')} in ${count(found.matchedFiles, 'file')}`,
    metadata: {
      pattern: args.pattern,
      path: start.shown,
      matches: found.matches,
      matchedFiles: found.matchedFiles,
      searchedFiles: found.searchedFiles,
      refused: found.gaps.refused,
      ignored: found.gaps.walk.ignored,
      isPartial: found.gaps.isPartial,
    },
  });
}

function listFindings(
  { mode, before, after }: GrepSearch,
  { files }: FileSearchResult,
): readonly GrepMatch[] | readonly GrepCount[] | readonly string[] {
  if (mode === 'files') return files.map(({ path }) => path);
  if (mode === 'count') return files.map(({ path, matches }) => ({ path, matches }));
  return listMatches(files, before, after);
}

function render(output: unknown, { mode, pattern }: GrepArguments): string {
  if ((output as readonly unknown[]).length === 0) return `Nothing matches ${pattern}`;
  if (mode === 'files' || mode === 'files_with_matches') return (output as readonly string[]).join('\n');
  if (mode === 'count') return renderCounts(output as readonly GrepCount[]);
  return renderMatches(output as readonly GrepMatch[]);
}

function tooCostly(pattern: string): ToolError {
  return toolError(
    'INVALID_PATTERN',
    `the pattern ${JSON.stringify(pattern.slice(0, 100))} is too expensive on these files`,
    {
      hint: 'Repetitions inside repetitions, such as "(a+)+", can take forever. Write a simpler pattern.',
    },
  );
}
