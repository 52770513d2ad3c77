import type { RunWord } from '../run/run-word.ts';

/** Programs that run their arguments as a command. */
const wrappers: ReadonlySet<string> = new Set(
  (
    'sudo doas gosu su-exec setpriv env nohup command exec builtin nice ionice chrt taskset time gtime timeout gtimeout stdbuf ' +
    'setsid xargs parallel watch busybox toybox chroot unshare nsenter flock script strace ltrace su runuser caffeinate find fd ' +
    'fdfind ssh systemd-run prlimit fakeroot firejail bwrap proot unbuffer xvfb-run dbus-run-session dbus-launch rlwrap entr npx ' +
    'bunx pnpx docker docker-compose podman nerdctl kubectl oc lxc lxc-attach vagrant wsl coproc sem at batch jobs ' +
    'setarch linux32 linux64 i386 i686 x86_64 ssh-agent sg newgrp runcon capsh numactl catchsegv eatmydata faketime torsocks ' +
    'torify tsocks proxychains proxychains4 tini tini-static dumb-init catatonit chpst envdir envuidgid setuidgid softlimit ' +
    'setlock setuser hyperfine valgrind rr perf uvx pipx chronic ifne cgexec cpulimit schedtool trickle pkexec run0 machinectl ' +
    'systemd-inhibit systemd-nspawn systemd-cat flatpak-spawn toolbox distrobox apptainer singularity schroot dchroot ' +
    'srun mpirun mpiexec sshpass mosh autossh pdsh pssh ansible tmux screen dtach abduco tsp nq cross-env cross-env-shell dotenv ' +
    'dotenvx env-cmd concurrently nodemon watchexec aws-vault chamber doppler direnv heroku multipass limactl colima minikube ' +
    'nix-shell guix fakechroot s6-setuidgid s6-envdir s6-softlimit coreutils asciinema sbatch dlx corepack arch choom retry'
  ).split(' '),
);

/** Programs with subcommands that run their further arguments. */
const wrappingCommands: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    npm: 'exec x explore',
    lerna: 'exec',
    nx: 'exec',
    turbo: 'exec',
    tox: 'exec',
    nvm: 'exec run',
    just: '-c --command',
    pnpm: 'exec dlx',
    yarn: 'exec dlx run',
    bun: 'x',
    deno: 'x task',
    uv: 'run tool x',
    poetry: 'run',
    pipenv: 'run',
    pdm: 'run',
    hatch: 'run',
    rye: 'run',
    bundle: 'exec e',
    mise: 'x exec',
    rtx: 'x exec',
    asdf: 'exec',
    nix: 'run develop shell',
    rustup: 'run',
    conda: 'run',
    mamba: 'run',
    micromamba: 'run',
    pyenv: 'exec',
    rbenv: 'exec',
    nodenv: 'exec',
    fnm: 'exec',
    volta: 'run',
    ip: 'netns vrf',
    op: 'run',
    flatpak: 'run',
    snap: 'run',
    git: 'bisect submodule',
    cmake: '-E',
    gdb: '--args -args',
    rust: 'run',
    cargo: 'watch',
    gcloud: 'ssh',
    fly: 'ssh console',
    stack: 'exec',
    cabal: 'exec',
    opam: 'exec',
  }).map(([program, commands]) => [program, new Set(commands.split(' '))]),
);

const loader = /^(?:ld(?:-linux[\w-]*|-musl-[\w-]*|64)?\.so(?:\.\d+)*|ld-[\d.]+\.so|s6-[\w-]+)$/;
const maxLeading = 12;

/** The text that `find -exec`, `fd -x`, `xargs -I{}` and `parallel` replace with names that they find or read. */
export const placeholder = '{}';

/** Returns whether a program of this name always runs its arguments as a command. */
export function isWrapperName(program: string): boolean {
  return wrappers.has(program) || loader.test(program);
}

/** Returns whether a program runs its arguments, so that each suffix of them may be a command. */
export function isWrapper(program: string, args: readonly RunWord[]): boolean {
  if (isWrapperName(program)) return true;
  // `node node_modules/.bin/npm publish`
  if (program === 'node') return args.slice(0, maxLeading).some(({ text }) => /(?:^|\/)\.?bin\/[\w-]+$/.test(text));
  const commands = wrappingCommands.get(program);
  if (!commands) return false;
  for (let index = 0; index < maxLeading && index < args.length; index += 1)
    if (commands.has(args[index]!.text)) return true;
  return false;
}
