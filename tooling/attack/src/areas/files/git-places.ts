import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Attack, AttackGround } from '../../attack.ts';
import { acting, lay, loadFolder } from '../plugins/load-folder.ts';
import { git, makeRepository, openTools, put } from './ground.ts';

/** A place from which git takes programs that it runs, besides hooks and its usual settings. */
interface Place {
  readonly name: string;
  readonly prepare: (cwd: string) => void;
  /** A shell line that plants a program, which creates the file `mark`. */
  readonly plant: (mark: string) => string;
  /** A later action of the user. */
  readonly later: (cwd: string) => void;
  /** The attacker in the short form; default: a command. */
  readonly short?: 'nobody' | 'both';
}

const monitor = (file: string, mark: string): string =>
  `mkdir -p "$(dirname ${file})"; printf '[core]\\n\\tfsmonitor = "touch ${mark} #"\\n' > ${file}`;
const script = (file: string, mark: string): string =>
  `mkdir -p "$(dirname ${file})"; rm -f ${file}; printf '#!/bin/sh\\ntouch ${mark}\\n' > ${file}; chmod +x ${file}`;
const status = (cwd: string): void => void git(cwd, 'status');
/** A program that git takes for the merge strategy `x/evil`. */
const strategy = (mark: string): string => script('git-merge-x/evil', mark);
const picks = `printf 'pick %s\\npick %s\\n' "$(git rev-parse HEAD~1)" "$(git rev-parse HEAD~1)"`;
const rebase = (state: string): string =>
  `mkdir -p .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD > onto; git rev-parse HEAD > orig-head; echo 'detached HEAD' > head-name; : > interactive; echo 1 > end; echo 0 > msgnum; ${state}; cd ../..`;
const worktree = (cwd: string): void => {
  makeRepository(cwd);
  git(cwd, 'worktree', 'add', '-q', 'tree');
};
const submodule = (cwd: string): void => {
  const lib = join(cwd, '../lib');
  mkdirSync(lib);
  makeRepository(lib);
  makeRepository(cwd);
  git(cwd, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', lib, 'sub');
};

const places: readonly Place[] = [
  {
    name: 'missing settings of a work tree',
    prepare: (cwd) => makeRepository(cwd, { 'extensions.worktreeConfig': 'true' }),
    plant: (mark) => monitor('.git/config.worktree', mark),
    later: status,
  },
  {
    name: 'missing settings of a linked work tree',
    prepare(cwd) {
      worktree(cwd);
      git(cwd, 'config', 'extensions.worktreeConfig', 'true');
    },
    plant: (mark) => monitor('.git/worktrees/tree/config.worktree', mark),
    later: (cwd) => status(join(cwd, 'tree')),
  },
  {
    name: 'the location of the settings of a linked work tree',
    short: 'nobody',
    prepare: worktree,
    plant: (mark) =>
      `cp -r .git copy; ${monitor('copy/config', mark)}; echo ../../../copy > .git/worktrees/tree/commondir; echo "gitdir: $PWD/copy" > tree/.git`,
    later: (cwd) => status(join(cwd, 'tree')),
  },
  {
    name: 'a hook of a submodule',
    prepare: submodule,
    plant: (mark) => script('.git/modules/sub/hooks/post-checkout', mark),
    later: (cwd) => void git(join(cwd, 'sub'), 'checkout', '-q', 'HEAD'),
  },
  {
    name: 'the settings of a submodule',
    short: 'nobody',
    prepare: submodule,
    plant: (mark) => monitor('.git/modules/sub/config', mark),
    later: (cwd) => status(join(cwd, 'sub')),
  },
  {
    name: 'a hook of a bare repository',
    prepare: (cwd) => void git(cwd, 'init', '-q', '--bare'),
    plant: (mark) => script('hooks/reference-transaction', mark),
    later: (cwd) => void git(cwd, 'tag', 'a', blob(cwd)),
  },
  {
    name: 'the settings of a bare repository',
    short: 'nobody',
    prepare: (cwd) => void git(cwd, 'init', '-q', '--bare'),
    plant: (mark) => `git config alias.look "!touch ${mark}"; printf '[alias]\\n\\tlook = !touch ${mark}\\n' >> config`,
    later: (cwd) => void git(cwd, 'look'),
  },
  {
    name: 'the merge strategy of a rebase',
    prepare: makeRepository,
    plant: (mark) => `${strategy(mark)}; ${rebase(`${picks} > git-rebase-todo; echo x/evil > strategy`)}`,
    later: (cwd) => void git(cwd, 'rebase', '--continue'),
  },
  {
    name: 'the merge strategy of a cherry-pick',
    prepare: makeRepository,
    plant: (mark) =>
      `${strategy(mark)}; mkdir .git/sequencer; git rev-parse HEAD > .git/sequencer/head; git rev-parse HEAD > .git/sequencer/abort-safety; printf '[options]\\n\\tstrategy = "x/evil"\\n' > .git/sequencer/opts; ${picks} > .git/sequencer/todo`,
    later(cwd) {
      git(cwd, 'cherry-pick', '--continue');
      git(cwd, 'cherry-pick', '--skip');
    },
  },
  {
    name: 'a folder of hooks below a folder of settings',
    short: 'both',
    prepare: (cwd) => makeRepository(cwd, { 'core.hooksPath': '.config/hooks/_' }),
    plant: (mark) => script('.config/hooks/_/pre-commit', mark),
    later: (cwd) => void git(cwd, 'commit', '-q', '--allow-empty', '-m', 'three'),
  },
];

function blob(cwd: string): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd, input: 'x', encoding: 'utf8' }).trim();
}

function attack(
  place: Place,
  who: string,
  isLong: boolean,
  run: (ground: AttackGround, line: string) => Promise<unknown>,
): Attack {
  const attempt = async (
    ground: AttackGround,
    plant: (line: string) => Promise<unknown>,
  ): Promise<string | undefined> => {
    const cwd = join(ground.directory, 'project');
    put(join(cwd, 'readme'), 'x');
    place.prepare(cwd);
    const mark = join(ground.directory, 'RAN');
    await plant(`export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a; ${place.plant(mark)}; true`);
    place.later(cwd);
    return existsSync(mark) ? 'git ran what was planted' : undefined;
  };
  return {
    name: `${who} plants ${place.name}, and git runs it outside`,
    needs: ['jail', 'git', 'bash'],
    isLong,
    control: async (ground) =>
      (await attempt(ground, async (line) =>
        execFileSync('sh', ['-c', line], { cwd: join(ground.directory, 'project'), stdio: 'ignore' }),
      )) !== undefined,
    run: (ground) => attempt(ground, (line) => run(ground, line)),
  };
}

/**
 * Plants programs in unusual places from which git runs them: by a command in the jail, and by a plugin with a writable
 * folder.
 */
export const gitPlaces: readonly Attack[] = places.flatMap((place) => [
  attack(place, 'A jailed command', place.short === 'nobody', ({ directory }, line) =>
    openTools(join(directory, 'project')).jailed(line),
  ),
  attack(place, 'A plugin', place.short !== 'both', async (ground, line) => {
    const cwd = join(ground.directory, 'project');
    lay(ground, {
      'plugins/x.mjs': acting(
        `const { spawnSync } = await import('node:child_process');
        return 'ran ' + spawnSync('/bin/sh', ['-c', args.line], { cwd: args.cwd, env: { PATH: '/usr/bin:/bin' } }).status;`,
      ),
    });
    const plugins = await loadFolder(ground, { jail: 'required', grants: { x: { exec: true, fs: { write: [cwd] } } } });
    const said = await plugins.text({ line, cwd });
    if (!said.startsWith('ran')) throw new Error(said);
    await plugins.loader.stop();
  }),
]);
