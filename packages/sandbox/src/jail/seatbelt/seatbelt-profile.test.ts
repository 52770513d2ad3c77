import { describe, expect, it } from 'vitest';
import type { JailAccess } from '../contract/jail.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const build = (view: JailAccess = {}): string =>
  seatbeltProfile({ read: [], write: [], hidden: [], network: false, ...view }, '/opt/tool/bin/run');

/** Returns the rules for an operation in order, each with its action and paths. */
function rulesOf(profile: string, operation: string): readonly string[] {
  const rules = profile.split(/\n(?=\()/).filter((rule) => rule.split(/[\s)]/)[1] === operation);
  return rules.map(
    (rule) =>
      `${rule.slice(1, 6).trim()}: ${[...rule.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join(' ')}`,
  );
}

describe('seatbeltProfile', () => {
  it('denies everything by default', () => {
    expect(build().split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(build()).not.toMatch(/\(allow (?:default|file\*|mach\*|process\*|system-socket|network)/);
  });

  it('gives access to the network only on request', () => {
    expect(build()).not.toContain('network');
    expect(build({ network: true })).toContain('\n(allow network*)\n(allow system-socket)\n');
  });

  it('allows reading the program, the system and the given paths, but no user data', () => {
    const [read] = rulesOf(build({ read: ['/Users/a/shown'] }), 'file-read*');
    expect(read).toContain('/opt/tool/bin/run /Users/a/shown');
    expect(read).not.toMatch(/ \/(?:Users|private|private\/etc|private\/var|usr|Library)(?: |$)/);
    // Directories above may be traversed by name.
    expect(rulesOf(build({ read: ['/Users/a/shown'] }), 'file-read-metadata')[0]).toMatch(/ \/Users \/Users\/a( |$)/);
  });

  it('allows writing only to writable paths', () => {
    expect(rulesOf(build(), 'file-write*')).toEqual(['allow: /dev/null /dev/zero']);
    expect(rulesOf(build({ write: ['/w'] }), 'file-write*')).toEqual(['allow: /dev/null /dev/zero /w']);
  });

  it('denies writing to readable paths inside writable ones, and allows it again deeper inside', () => {
    const profile = build({ write: ['/w', '/w/closed/open'], read: ['/w/closed', '/other'] });
    expect(rulesOf(profile, 'file-write*')).toEqual([
      'allow: /dev/null /dev/zero /w /w/closed/open',
      'deny: /w/closed',
      'allow: /w/closed/open',
    ]);
    expect(rulesOf(build({ write: ['/'], read: ['/closed'] }), 'file-write*').at(-1)).toBe('deny: /closed');
    expect(rulesOf(build({ write: ['/w'], read: ['/work'] }), 'file-write*')).toHaveLength(1);
  });

  it('denies hidden paths with the last rule', () => {
    const profile = build({ read: ['/r'], write: ['/w'], hidden: ['/r/.env', '/w/.env'] });
    expect(
      profile
        .trimEnd()
        .split(/\n(?=\()/)
        .at(-1),
    ).toBe('(deny file-read* file-write*\n  (subpath "/r/.env")\n  (subpath "/w/.env"))');
    expect(build()).not.toContain('deny file-read');
  });

  it('escapes paths, so that they cannot add rules', () => {
    const path = '/a") (allow default) ("\\';
    const profile = build({ write: [path] });
    expect(profile).toContain(String.raw`(subpath "/a\") (allow default) (\"\\")`);
    const outside = profile.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    expect(outside).not.toContain('allow default');
    expect(outside.match(/\(/g)?.length).toBe(outside.match(/\)/g)?.length);
  });
});
