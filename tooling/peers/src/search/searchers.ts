import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

import { createGrepTool } from '@earendil-works/pi-coding-agent';
import { createBuiltins } from '@haft/builtins';
import { allowAll, createDispatcher, createWorkspace, type ToolResult } from '@haft/core';
import { rgPath } from '@vscode/ripgrep';
import fastGlob from 'fast-glob';
import { glob as tinyGlob } from 'tinyglobby';

import { versionOf } from '../version-of.ts';

/** Runs one search and returns the number of hits. */
export type Searcher = () => Promise<number>;

/**
 * All contenders that search for lines, by name. They return different extras; the counted part is documented for each.
 */
export function makeGreppers(folder: string, pattern: string): Readonly<Record<string, Searcher>> {
  // pi finds ripgrep on the search path, so that all use the same one.
  process.env['PATH'] = [dirname(rgPath), process.env['PATH']].join(delimiter);
  const pi = createGrepTool(folder);
  return {
    Haft: countWith(createCaller(folder), 'grep', { pattern }, 'matches'),
    'ripgrep alone': () => runRipgrep(folder, ['--line-number', `--regexp=${pattern}`]),
    [`pi ${versionOf('@earendil-works/pi-coding-agent')}: grep, to its 100th match`]: async () => {
      const { content } = await pi.execute('1', { pattern });
      return content.reduce((lines, part) => lines + (part.type === 'text' ? part.text.split('\n').length : 0), 0);
    },
  };
}

/** All contenders that search for files, by name. */
export async function makeFinders(folder: string): Promise<Readonly<Record<string, Searcher>>> {
  const server = await loadServerFilesystem();
  server.setAllowedDirectories([folder]);
  const ignore = ['**/node_modules/**', '**/dist/**', '**/.git/**'];
  return {
    Haft: countWith(createCaller(folder), 'glob', { pattern: '**/*.ts' }, 'total'),
    'ripgrep alone: --files': () => runRipgrep(folder, ['--files', '--glob=*.ts']),
    [`tinyglobby ${versionOf('tinyglobby')}, with an exclude list`]: async () =>
      (await tinyGlob('**/*.ts', { cwd: folder, ignore, dot: true })).length,
    [`fast-glob ${versionOf('fast-glob')}, with an exclude list`]: async () =>
      (await fastGlob('**/*.ts', { cwd: folder, ignore, dot: true })).length,
    [`server-filesystem ${versionOf('@modelcontextprotocol/server-filesystem')}: search_files, with an exclude list`]:
      async () =>
        (await server.searchFilesWithValidation(folder, '**/*.ts', [folder], { excludePatterns: ignore })).length,
  };
}

type Caller = (name: string, args: unknown) => Promise<ToolResult>;

/** Calls tools as a loop does: each call is validated, authorized and reported. */
export function createCaller(folder: string): Caller {
  const workspace = createWorkspace({ cwd: folder, permission: allowAll });
  const tools = createDispatcher({ registry: createBuiltins({ include: ['grep', 'glob'] }), workspace });
  return (name, args) => tools.dispatch({ id: '1', name, arguments: args });
}

function countWith(call: Caller, name: string, args: unknown, key: string): Searcher {
  return async () => {
    const result = await call(name, args);
    if (!result.ok) throw new Error(`${name} failed: ${result.error.message}`);
    return Number(result.metadata[key]);
  };
}

/** Runs ripgrep with the rules of grep and glob, and counts the lines that it prints. */
function runRipgrep(folder: string, args: readonly string[]): Promise<number> {
  const rules = ['--no-config', '--hidden', '--no-ignore-global', '--glob=!.git', '--glob=!node_modules'];
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, [...rules, ...args, './'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    let lines = 0;
    child.stdout.on('data', (piece: Buffer) => {
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
    });
    child.on('error', reject);
    child.on('close', () => resolve(lines));
  });
}

interface ServerFilesystem {
  setAllowedDirectories(folders: readonly string[]): void;
  searchFilesWithValidation(
    folder: string,
    pattern: string,
    allowed: readonly string[],
    options: { readonly excludePatterns: readonly string[] },
  ): Promise<readonly string[]>;
}

/** The tools without their server. They have no type declarations. */
async function loadServerFilesystem(): Promise<ServerFilesystem> {
  const module = '@modelcontextprotocol/server-filesystem/dist/lib.js';
  return (await import(module)) as ServerFilesystem;
}
