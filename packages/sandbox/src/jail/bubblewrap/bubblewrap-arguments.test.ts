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
  it('remove every namespace, capability, terminal and network access', () => {
    expect(build()).toBe(
      '--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent --new-session ' +
        '--proc /proc --dev /dev --size 67108864 --tmpfs /dev/shm --remount-ro /dev --remount-ro / ' +
        '--chdir /w -- /bin/echo --bind / /',
    );
  });

  it('give access to the network only on request', () => {
    expect(build({ network: true })).toMatch(/^--unshare-all --share-net --unshare-user/);
  });

  it('omit options that an older bubblewrap does not support', () => {
    expect(build({ canDisableUserNamespaces: false })).toMatch(/^--unshare-all --cap-drop ALL/);
  });

  it('mount outer directories before inner ones, in any order', () => {
    const output = build({
      mounts: [
        { kind: 'read', path: '/w/a/closed' },
        { kind: 'write', path: '/w' },
        { kind: 'memory', path: '/tmp', bytes: 1_000 },
        { kind: 'write', path: '/tmp/x' },
        { kind: 'link', path: '/bin', target: 'usr/bin' },
      ],
    });
    expect(output).toContain(
      '--bind /w /w --size 1000 --tmpfs /tmp --symlink usr/bin /bin --bind /tmp/x /tmp/x --ro-bind /w/a/closed /w/a/closed --remount-ro',
    );
  });

  it('never mount kernel file systems of the machine, even with the whole machine in view', () => {
    const output = build({
      mounts: [
        { kind: 'write', path: '/proc/1' },
        { kind: 'write', path: '/dev' },
        { kind: 'read', path: '/sys' },
        { kind: 'read', path: '/device' },
        { kind: 'read', path: '/' },
      ],
    });
    expect(output).toContain('--new-session --ro-bind / / --proc /proc --dev /dev');
    expect(output).toContain('--ro-bind /device /device');
    expect(output).not.toMatch(/bind \/(?:proc|dev|sys)\b/);
    expect(output).not.toContain('--remount-ro / ');
  });
});
