import { describe, expect, it } from 'vitest';
import type { JailAccess } from '../contract/jail.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const build = (view: JailAccess = {}): string =>
  seatbeltProfile({ read: [], write: [], hidden: [], network: false, ...view }, '/opt/tool/bin/run');

/** The rules for an operation, in order, each as its action and what it is about. */
function rulesOf(profile: string, operation: string): readonly string[] {
  const rules = profile.split(/\n(?=\()/).filter((rule) => rule.split(/[\s)]/)[1] === operation);
  return rules.map(
    (rule) =>
      `${rule.slice(1, 6).trim()}: ${[...rule.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join(' ')}`,
  );
}

describe('the profile of Seatbelt', () => {
  it('denies what it does not allow, first of all', () => {
    expect(build().split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(build()).not.toMatch(/\(allow (?:default|file\*|mach\*|process\*|system-socket|network)/);
  });

  it('opens the network only when that is said', () => {
    expect(build()).not.toContain('network');
    expect(build({ network: true })).toContain('\n(allow network*)\n(allow system-socket)\n');
  });

  it('lets the program, the system and the view be read, and nothing of persons', () => {
    const [read] = rulesOf(build({ read: ['/Users/a/shown'] }), 'file-read*');
    expect(read).toContain('/opt/tool/bin/run /Users/a/shown');
    expect(read).not.toMatch(/ \/(?:Users|private|private\/etc|private\/var|usr|Library)(?: |$)/);
    // By name they may be walked through.
    expect(rulesOf(build({ read: ['/Users/a/shown'] }), 'file-read-metadata')[0]).toMatch(/ \/Users \/Users\/a( |$)/);
  });

  it('lets only what is to be written be written', () => {
    expect(rulesOf(build(), 'file-write*')).toEqual(['allow: /dev/null /dev/zero']);
    expect(rulesOf(build({ write: ['/w'] }), 'file-write*')).toEqual(['allow: /dev/null /dev/zero /w']);
  });

  it('closes what is only read inside what is written, and opens again what is written in there', () => {
    const profile = build({ write: ['/w', '/w/closed/open'], read: ['/w/closed', '/other'] });
    expect(rulesOf(profile, 'file-write*')).toEqual([
      'allow: /dev/null /dev/zero /w /w/closed/open',
      'deny: /w/closed',
      'allow: /w/closed/open',
    ]);
    expect(rulesOf(build({ write: ['/'], read: ['/closed'] }), 'file-write*').at(-1)).toBe('deny: /closed');
    expect(rulesOf(build({ write: ['/w'], read: ['/work'] }), 'file-write*')).toHaveLength(1);
  });

  it('hides what is hidden from every other rule', () => {
    const profile = build({ read: ['/r'], write: ['/w'], hidden: ['/r/.env', '/w/.env'] });
    expect(
      profile
        .trimEnd()
        .split(/\n(?=\()/)
        .at(-1),
    ).toBe('(deny file-read* file-write*\n  (subpath "/r/.env")\n  (subpath "/w/.env"))');
    expect(build()).not.toContain('deny file-read');
  });

  it('takes no path for a rule', () => {
    const path = '/a") (allow default) ("\\';
    const profile = build({ write: [path] });
    expect(profile).toContain(String.raw`(subpath "/a\") (allow default) (\"\\")`);
    const outside = profile.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    expect(outside).not.toContain('allow default');
    expect(outside.match(/\(/g)?.length).toBe(outside.match(/\)/g)?.length);
  });
});
