import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPermissionEngine } from './engine/create-permission-engine.ts';
import { running } from './fixtures/create-request.ts';
import { everydayLines, heldBackLines, type EverydayLines, type EverydayVerdict } from './fixtures/everyday-lines.ts';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-everyday-')));
  const paths =
    '.env .gitignore package.json tsconfig.json README.md report.csv src/app.ts src/lib.ts src/app.test.ts src/templates/a.html tests/a.ts scripts/run.sh packages/core/package.json docker/Dockerfile node_modules/x/index.js dist/app.js docs/a.md logs/app.log hello.c Makefile';
  for (const path of paths.split(' ')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function judge(command: string): Promise<EverydayVerdict> {
  let wasAsked = false;
  const engine = createPermissionEngine({
    mode: 'allow',
    ask: () => {
      wasAsked = true;
      return { action: 'deny' };
    },
  });
  const decision = await engine.ask(running(command, { cwd: folder }));
  if (wasAsked) return 'ask';
  return decision.action === 'allow' ? 'run' : 'refuse';
}

/** Returns the lines whose verdict differs from the expected one, with both verdicts. */
async function findMisses(lines: EverydayLines): Promise<readonly string[]> {
  const misses: string[] = [];
  for (const expected of ['run', 'ask', 'refuse'] as const)
    for (const line of lines[expected]) {
      const verdict = await judge(line);
      if (verdict !== expected) misses.push(`${expected} expected, ${verdict}: ${line}`);
    }
  return misses;
}

function count(lines: EverydayLines): number {
  return lines.run.length + lines.ask.length + lines.refuse.length;
}

describe('everyday command lines in the mode allow', () => {
  it('get the expected verdict in at least 98 of 100 cases', async () => {
    const misses = await findMisses(everydayLines);
    // Shows each miss if there are too many.
    expect(misses.length <= count(everydayLines) * 0.02 ? [] : misses).toEqual([]);
  });

  it('get the expected verdict as often for held-out lines that the engine was not tuned on', async () => {
    const misses = await findMisses(heldBackLines);
    expect(misses.length <= count(heldBackLines) * 0.02 ? [] : misses).toEqual([]);
  });

  it('are at least 500 unique lines, with at least 100 of them held out', () => {
    const all = [everydayLines, heldBackLines].flatMap(({ run, ask, refuse }) => [...run, ...ask, ...refuse]);
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(count(heldBackLines)).toBeGreaterThanOrEqual(100);
    expect(all.filter((line, index) => all.indexOf(line) !== index)).toEqual([]);
  });

  it.each<[string, EverydayVerdict]>([
    ['set -euo pipefail; npm test', 'run'],
    ["sed -n '/a/,/b/p' README.md", 'run'],
    ["awk '$3 > 5' report.csv", 'run'],
    ['git ls-files | xargs wc -l', 'run'],
    ['git check-ignore .env', 'run'],
    ['grep .env .gitignore', 'run'],
    ['NODE_OPTIONS=--max-old-space-size=4096 npm test', 'run'],
    ['NODE_OPTIONS="--require ./x.js" npm test', 'ask'],
    ['NODE_OPTIONS=--import=./x.mjs npm test', 'ask'],
    ['NODE_OPTIONS=--loader=./x.mjs npm test', 'ask'],
    ['set -k; npm test PATH=.', 'ask'],
    ['grep -f .env .gitignore', 'refuse'],
    ['grep -e x .env', 'refuse'],
    ['grep x .env', 'refuse'],
    ['grep -A 3 x .env', 'refuse'],
  ])('judges %j as %s', async (line, verdict) => {
    expect(await judge(line)).toBe(verdict);
  });
});
