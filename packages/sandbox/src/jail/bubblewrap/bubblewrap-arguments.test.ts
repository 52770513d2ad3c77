import { describe, expect, it } from 'vitest';
import { bubblewrapArguments, type BubblewrapPlan } from './bubblewrap-arguments.ts';

const build = (plan: Partial<BubblewrapPlan> = {}): string =>
  bubblewrapArguments({
    command: { file: '/bin/echo', args: ['--bind', '/', '/'], cwd: '/w' },
    mounts: [],
    network: false,
    canDisableUserNamespaces: true,
    ...plan,
  }).join(' ');

describe('the arguments of bubblewrap', () => {
  it('take every namespace, every capability, the terminal and the network away', () => {
    expect(build()).toBe(
      '--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent --new-session ' +
        '--proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev --remount-ro / ' +
        '--chdir /w -- /bin/echo --bind / /',
    );
  });

  it('open the network alone', () => {
    expect(build({ network: true })).toMatch(/^--unshare-all --share-net --unshare-user/);
  });

  it('leave out what an older bubblewrap does not know', () => {
    expect(build({ canDisableUserNamespaces: false })).toMatch(/^--unshare-all --cap-drop ALL/);
  });

  it('mount outer folders before inner ones, whatever their order', () => {
    const said = build({
      mounts: [
        { kind: 'read', path: '/w/a/closed' },
        { kind: 'write', path: '/w' },
        { kind: 'memory', path: '/tmp', bytes: 1_000 },
        { kind: 'write', path: '/tmp/x' },
        { kind: 'link', path: '/bin', target: 'usr/bin' },
      ],
    });
    expect(said).toContain(
      '--bind /w /w --size 1000 --tmpfs /tmp --symlink usr/bin /bin --bind /tmp/x /tmp/x --ro-bind /w/a/closed /w/a/closed --remount-ro',
    );
  });

  it('never show the kernel trees of the machine, also where the whole machine is shown', () => {
    const said = build({
      mounts: [
        { kind: 'write', path: '/proc/1' },
        { kind: 'write', path: '/dev' },
        { kind: 'read', path: '/sys' },
        { kind: 'read', path: '/device' },
        { kind: 'read', path: '/' },
      ],
    });
    expect(said).toContain('--new-session --ro-bind / / --proc /proc --dev /dev');
    expect(said).toContain('--ro-bind /device /device');
    expect(said).not.toMatch(/bind \/(?:proc|dev|sys)\b/);
    expect(said).not.toContain('--remount-ro / ');
  });
});
