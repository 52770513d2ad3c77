import { failure, success, toolError, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../define-builtin.ts';
import { treeKeys } from '../footprint-keys.ts';
import { folderAliases } from '../path-aliases.ts';
import { compilePattern } from '../search/compile-pattern.ts';
import { findStart } from '../search/find-start.ts';
import { compilePathPattern } from '../search/path-pattern.ts';
import { createPatternRunner, PatternTooCostly, type PatternRunner } from '../search/pattern-runner.ts';
import { count, describeGaps, describeIgnored } from '../search/search-notes.ts';
import { readsFiles } from '../tool-traits.ts';
import { listMatches, renderMatches } from './render-matches.ts';
import { searchFiles, type FileSearchResult } from './search-files.ts';

const usualLimit = 100;

const input = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .describe(
      'A JavaScript regular expression, matched line by line, such as "function\\s+\\w+". Put a backslash before special characters that are meant literally.',
    ),
  path: z.string().optional().describe('The folder or file to search. Default: the working directory.'),
  include: z
    .string()
    .optional()
    .describe('Only files whose path matches this glob, such as "*.ts" or "src/**/*.json".'),
  ignore_case: z.boolean().optional().describe('Take upper and lower case as the same. Default false.'),
  limit: z.int().min(1).max(1_000).optional().describe('The most matching lines to return. Default 100.'),
  context: z.int().min(0).max(20).optional().describe('Lines to show before and after each match. Default 0.'),
  output: z
    .enum(['labeled', 'json'])
    .optional()
    .describe(
      '"labeled" (default) for lines under the name of their file, "json" for an array of { path, line, text }.',
    ),
});

/** Makes the `grep` tool: lines of files by a regular expression. */
export function createGrepTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const runner = createPatternRunner();
  return defineBuiltin('createGrepTool', dependencies, {
    name: 'grep',
    title: 'Search in files',
    description:
      'Searches files line by line with a regular expression and returns the matching lines with their numbers. ' +
      'Files that .gitignore names, .git and node_modules are left out unless path lies inside them; binary files are skipped. To find files by name use glob.',
    input,
    kind: 'read',
    traits: readsFiles,
    aliases: {
      pattern: ['query', 'regex', 'search', 'regexp'],
      path: ['root', ...folderAliases],
      include: ['glob', 'include_pattern', 'file_pattern'],
      ignore_case: ['ignoreCase', 'case_insensitive', 'caseInsensitive'],
      limit: ['max_results', 'maxResults', 'max_matches', 'head_limit'],
      context: ['context_lines'],
    },
    footprint: ({ path }, cwd) => ({ reads: treeKeys(cwd, path ?? '.') }),
    initialTitle: ({ pattern, path }) => `Search for ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    run: (args, call) => grep(args, call, runner),
  });
}

async function grep(
  args: z.output<typeof input>,
  { context, workspace, place }: BuiltinCall,
  runner: PatternRunner,
): Promise<ToolResult> {
  const { callId } = context;
  const pattern = compilePattern(args.pattern, args.ignore_case === true);
  if (!pattern.ok) return failure(callId, pattern.error);
  const include = args.include === undefined ? undefined : compilePathPattern(args.include);
  if (include && !include.ok) return failure(callId, include.error);
  const start = await findStart(place(args.path ?? '.'));
  if (!start.ok) return failure(callId, start.error);

  const limit = args.limit ?? usualLimit;
  let found: FileSearchResult;
  try {
    found = await searchFiles(
      { pattern, include, context: args.context ?? 0, limit },
      start,
      workspace,
      context,
      runner,
    );
  } catch (error) {
    if (!(error instanceof PatternTooCostly)) throw error;
    return failure(callId, tooCostly(args.pattern));
  }
  const { failures } = { failures: found.gaps.unreadable };
  if (start.kind !== 'directory' && failures.length > 0) {
    return failure(
      callId,
      toolError('READ_ERROR', `can't read ${start.shown} (${failures[0]!.code})`, {
        hint: 'Choose another file.',
        details: { path: start.shown, sandboxCode: failures[0]!.code },
      }),
    );
  }

  const notes = describe(found, workspace.cwd, limit);
  const extras = {
    summary: `Found: ${count(found.matches, 'match', 'matches')} in ${count(found.matchedFiles, 'file')}`,
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
  };
  if (args.output === 'json') {
    const list = listMatches(found.files, args.context ?? 0);
    return success(callId, [{ type: 'json', value: list }], { ...extras, structured: list, advisories: notes });
  }
  const text =
    found.matches === 0
      ? `No line matches ${args.pattern} (${count(found.searchedFiles, 'file')} searched below ${start.shown})`
      : renderMatches(found.files);
  return success(callId, [text, ...notes.map((note) => `[${note}]`)].join('\n'), extras);
}

function describe(found: FileSearchResult, cwd: string, limit: number): readonly string[] {
  const shown = found.files.reduce((sum, file) => sum + file.lines.filter(({ isMatch }) => isMatch).length, 0);
  const hidden = found.matches - shown;
  const notes: string[] = [];
  if (hidden > 0) {
    const otherFiles = found.matchedFiles - found.files.length;
    const where = otherFiles > 0 ? ` in ${count(otherFiles, 'other file')} or in those shown` : '';
    notes.push(
      `${hidden} more ${hidden === 1 ? 'match' : 'matches'}${where}; narrow pattern, path or include, or raise limit (now ${limit}).`,
    );
  }
  notes.push(...describeGaps(cwd, found.gaps));
  if (found.largeFiles.length > 0) notes.push(`Too large to search: ${found.largeFiles.slice(0, 5).join(', ')}.`);
  if (found.matches === 0) {
    if (found.binaryFiles > 0) notes.push(`${count(found.binaryFiles, 'binary file')} skipped.`);
    notes.push(describeIgnored(found.gaps.walk));
  }
  return notes.filter((note) => note !== '');
}

function tooCostly(pattern: string): ReturnType<typeof toolError> {
  return toolError(
    'INVALID_PATTERN',
    `the pattern ${JSON.stringify(pattern.slice(0, 100))} is too expensive on these files`,
    {
      hint: 'Repetitions inside repetitions, such as "(a+)+", can take forever. Write a simpler pattern.',
    },
  );
}
