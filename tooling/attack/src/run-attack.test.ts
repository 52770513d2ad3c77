import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Attack } from './attack.ts';
import { checkArea, listAreaNames } from './list-areas.ts';
import { runAttack } from './run-attack.ts';

const attack = (members: Partial<Attack>): Attack => ({
  name: 'sample',
  run: () => Promise.resolve(undefined),
  ...members,
});

describe('runAttack', () => {
  it('reports "held" if the attack achieves nothing', async () => {
    expect(await runAttack(attack({}))).toMatchObject({ kind: 'held' });
  });

  it('reports a breach with what the attacker achieved', async () => {
    const outcome = await runAttack(attack({ run: () => Promise.resolve('read /etc/shadow') }));
    expect(outcome).toMatchObject({ kind: 'breach', achieved: 'read /etc/shadow' });
  });

  it('reports a breach if the attack throws, so that a broken attack never counts as held', async () => {
    const outcome = await runAttack(attack({ run: () => Promise.reject(new Error('no such module')) }));
    expect(outcome).toMatchObject({ kind: 'breach', achieved: expect.stringContaining('no such module') });
  });

  it('reports a breach if the attack does not end in time', async () => {
    const outcome = await runAttack(attack({ timeoutMs: 10, run: () => new Promise(() => {}) }));
    expect(outcome).toMatchObject({ kind: 'breach', achieved: 'the attack did not end within 10 ms' });
  });

  it('reports a breach if the control fails, since the attack then proves nothing', async () => {
    const outcome = await runAttack(attack({ control: () => Promise.resolve(false) }));
    expect(outcome).toMatchObject({ kind: 'breach', achieved: expect.stringContaining('control failed') });
  });

  it('removes the directory and runs cleanups in reverse order', async () => {
    const order: number[] = [];
    let directory = '';
    await runAttack(
      attack({
        run: (ground) => {
          directory = ground.directory;
          writeFileSync(join(directory, 'left-behind'), '');
          ground.onEnd(() => void order.push(1));
          ground.onEnd(() => void order.push(2));
          return Promise.resolve(undefined);
        },
      }),
    );
    expect(order).toEqual([2, 1]);
    expect(existsSync(directory)).toBe(false);
  });
});

// `pnpm attack` loads every area. Loading them here, too, would take seconds.
describe('an area', () => {
  it('has attacks, and their names are distinct', () => {
    const area = (...names: readonly string[]) => ({
      subject: 'samples',
      attacks: names.map((name) => attack({ name })),
    });
    expect(() => checkArea('samples', area('one', 'two'))).not.toThrow();
    expect(() => checkArea('samples', area())).toThrow('areas/samples has no attacks');
    expect(() => checkArea('samples', area('one', 'two', 'one'))).toThrow('areas/samples has two attacks named "one"');
  });

  it('has a folder', () => {
    expect(listAreaNames()).toEqual(['commands', 'files', 'journal', 'mcp', 'plugins', 'text', 'web']);
  });
});
