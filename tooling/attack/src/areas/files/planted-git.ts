import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack } from '../../attack.ts';
import { git, makeRepository, openTools, put } from './ground.ts';

/** A file that git executes later, outside of the jail. */
interface Plant {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Existing files. */
  readonly before?: Readonly<Record<string, string>>;
  readonly path: string;
  readonly text: (mark: string) => string;
  /** A later action of the user. */
  readonly later: (cwd: string) => void;
  readonly isLong?: boolean;
}

const script = (mark: string): string => `#!/bin/sh\ntouch '${mark}'\n`;
const commit = (cwd: string): void => {
  put(join(cwd, 'a.txt'), `${Math.random()}`);
  git(cwd, 'commit', '-qam', 'three');
};
const rebaseGoesOn = (cwd: string): void => void git(cwd, 'rebase', '--continue');
const rebaseState = {
  onto: 'HEAD',
  'head-name': 'detached HEAD',
  'orig-head': 'HEAD',
  interactive: '',
  end: '1',
  msgnum: '0',
};

const plants: readonly Plant[] = [
  {
    name: 'the folder named by core.hooksPath',
    settings: { 'core.hooksPath': 'dev' },
    before: { 'dev/readme': 'x' },
    path: 'dev/pre-commit',
    text: script,
    later: commit,
  },
  {
    name: 'a missing folder that core.hooksPath names',
    settings: { 'core.hooksPath': 'made/by' },
    path: 'made/by/pre-commit',
    text: script,
    later: commit,
  },
  {
    name: 'a file that the settings include',
    isLong: true,
    settings: { 'include.path': '../shared.ini' },
    before: { 'shared.ini': '' },
    path: 'shared.ini',
    text: (mark) => `[core]\nfsmonitor = "touch '${mark}' #"\n`,
    later: commit,
  },
  {
    name: 'a missing file that the settings include',
    settings: { 'include.path': '../none/shared.ini' },
    path: 'none/shared.ini',
    text: (mark) => `[core]\nfsmonitor = "touch '${mark}' #"\n`,
    later: commit,
  },
  {
    name: 'a file that the settings include conditionally',
    isLong: true,
    settings: { 'includeIf.gitdir:/**.path': '../if.ini' },
    before: { 'if.ini': '' },
    path: 'if.ini',
    text: (mark) => `[core]\nfsmonitor = "touch '${mark}' #"\n`,
    later: commit,
  },
  {
    name: 'a file that an included file includes',
    settings: { 'include.path': '../one.ini' },
    before: { 'one.ini': '[include]\npath = two.ini\n', 'two.ini': '' },
    path: 'two.ini',
    text: (mark) => `[core]\nfsmonitor = "touch '${mark}' #"\n`,
    later: commit,
  },
  {
    name: 'the program of core.fsmonitor',
    isLong: true,
    settings: { 'core.fsmonitor': './watch.sh' },
    before: { 'watch.sh': '#!/bin/sh\n' },
    path: 'watch.sh',
    text: script,
    later: commit,
  },
  { name: 'a hook', settings: {}, path: '.git/hooks/pre-commit', text: script, later: commit },
  {
    name: 'the settings',
    settings: {},
    path: '.git/config',
    text: (mark) => `[core]\nfsmonitor = "touch '${mark}' #"\n`,
    later: commit,
  },
  {
    name: 'the pending steps of a rebase',
    settings: {},
    path: '.git/rebase-merge/git-rebase-todo',
    text: (mark) => `exec touch '${mark}'\n`,
    later: rebaseGoesOn,
  },
];

/** Plants programs that git runs later, by a tool and by a command in the jail. */
export const plantedGit: readonly Attack[] = plants.flatMap(
  ({ name, settings, before = {}, path, text, later, isLong = false }) => {
    const open = (cwd: string): string => {
      makeRepository(cwd, settings);
      for (const [file, content] of Object.entries(before)) put(join(cwd, file), content, 0o755);
      return join(cwd, 'RAN');
    };
    const state = path.includes('rebase-merge') ? Object.entries(rebaseState) : [];
    const makeState = state.map(
      ([file, value]) =>
        `printf '%s\\n' "$(${value === 'HEAD' ? 'git rev-parse HEAD' : `echo '${value}'`})" > .git/rebase-merge/${file}`,
    );
    const line = (mark: string): string =>
      `mkdir -p $(dirname '${path}'); ${[...makeState, 'true'].join('; ')}; rm -f '${path}'; cat > '${path}' <<'END'\n${text(mark)}END\nchmod +x '${path}'; git add -A; true`;
    const endsIn = (cwd: string, mark: string): string | undefined => {
      if (existsSync(join(cwd, path))) chmodSync(join(cwd, path), 0o755);
      later(cwd);
      return existsSync(mark) ? `git ran what was planted in ${path}` : undefined;
    };
    const control: Attack['control'] = async ({ directory }) => {
      const mark = open(directory);
      const { execFileSync } = await import('node:child_process');
      execFileSync('sh', ['-c', line(mark)], { cwd: directory, stdio: 'ignore' });
      return endsIn(directory, mark) !== undefined;
    };
    return [
      {
        name: `A tool writes ${name}, and git runs it`,
        needs: ['git', 'linux', 'bash'],
        isLong,
        control,
        async run({ directory }) {
          const mark = open(directory);
          const { call } = openTools(directory);
          await call('write', { path, content: text(mark) });
          await call('append', { path, content: text(mark) });
          await call('apply_patch', {
            patch: `*** Begin Patch\n*** Add File: ${path}\n${text(mark).replaceAll(/^(?=.)/gm, '+')}*** End Patch`,
          });
          return endsIn(directory, mark);
        },
      },
      {
        name: `A jailed command writes ${name}, and git runs it outside`,
        needs: ['jail', 'git', 'bash'],
        isLong,
        control,
        async run({ directory }) {
          const mark = open(directory);
          await openTools(directory).jailed(line(mark));
          return endsIn(directory, mark);
        },
      },
    ] satisfies readonly Attack[];
  },
);
