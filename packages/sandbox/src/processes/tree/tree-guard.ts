import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ProcessTree } from './process-tree.ts';

const isSource = import.meta.url.endsWith('.ts');
const endOrphans = fileURLToPath(new URL(isSource ? './end-orphans.ts' : './end-orphans.js', import.meta.url));
const shell = '/bin/sh';
const idleMs = 1_000;

/**
 * Waits for the end of its input, which closes when this process ends for any reason, SIGKILL included. It then stops
 * the groups, so that no server exits before its descendants are found, and runs the program that ends the trees.
 */
const script = `
trap '' HUP INT TERM
trees=
while read -r verb tree; do
  rest=
  for one in $trees; do [ "$one" = "$tree" ] || rest="$rest $one"; done
  trees=$rest
  [ "$verb" = + ] && trees="$trees $tree"
done
[ -n "$trees" ] || exit 0
for one in $trees; do kill -s STOP -- "-\${one%%:*}"; done
[ -n "$1" ] && "$0" "$1" $trees || for one in $trees; do kill -s KILL -- "-\${one%%:*}"; done
`;

/** A process that ends trees when this process can't: after a signal, a crash or SIGKILL. */
export interface TreeGuard {
  add(tree: ProcessTree): void;
  remove(tree: ProcessTree): void;
}

/**
 * Creates the guard of this process. On POSIX systems with `/bin/sh`, it starts a shell in a session of its own while
 * there are trees. It handles no signal of this process. On Windows, it does nothing.
 */
export function createTreeGuard(): TreeGuard {
  const guarded = new Set<ProcessTree>();
  let watcher: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const notify = (verb: '+' | '-', tree: ProcessTree): void => {
    watcher?.stdin?.write(`${verb} ${describeTree(tree)}\n`);
  };
  const start = (): ChildProcess | undefined => {
    if (process.platform === 'win32' || !existsSync(shell)) return undefined;
    const started = spawn(shell, ['-c', script, process.execPath, canRunPrograms() ? endOrphans : ''], {
      cwd: '/',
      // In its own session, so that signals to this process's group and its terminal don't reach it.
      detached: true,
      env: { ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    started
      .on('error', () => undefined)
      .once('exit', () => {
        if (watcher === started) watcher = undefined;
      });
    started.stdin?.on('error', () => undefined);
    // Neither the shell nor its input keeps this process running.
    started.unref();
    (started.stdin as Socket | null)?.unref();
    return started;
  };
  const stop = (): void => {
    const stopped = watcher;
    watcher = undefined;
    stopped?.stdin?.end();
  };
  return {
    add(tree) {
      clearTimeout(idleTimer);
      guarded.add(tree);
      if (watcher) return notify('+', tree);
      watcher = start();
      for (const each of guarded) notify('+', each);
    },
    remove(tree) {
      if (!guarded.delete(tree)) return;
      notify('-', tree);
      if (guarded.size > 0) return;
      clearTimeout(idleTimer);
      idleTimer = setTimeout(stop, idleMs).unref();
    },
  };
}

function describeTree({ leader, marker, isJailed, lifeline = '' }: ProcessTree): string {
  return `${leader}:${marker}:${isJailed ? 1 : 0}:${lifeline.replace(/\D/g, '')}`;
}

/** Whether the executable of this process runs a program file. That of a single-file application does not. */
function canRunPrograms(): boolean {
  const sea = process.getBuiltinModule?.('node:sea') as { isSea?(): boolean } | undefined;
  return existsSync(endOrphans) && sea?.isSea?.() !== true;
}
