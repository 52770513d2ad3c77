import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderForModel } from '@haft/core';
import { load } from './load.ts';

describe('the plugin', () => {
  it('is loaded with its tools', async (test) => {
    const { loader } = await load();
    test.after(() => loader.stop());
    assert.deepEqual(
      loader.plugins().map(({ id, state, tools }) => [id, state, tools]),
      [['dice', 'live', ['roll_dice']]],
    );
  });

  it('rolls the given dice, with arguments as models write them', async (test) => {
    const { source, loader } = await load();
    test.after(() => loader.stop());
    const call = { id: 'call_1', name: 'roll_dice', arguments: "{count: '3', sides: 20,}" };
    const text = renderForModel(await source.dispatch(call));
    const [, first, second, third, sum] = /^3d20: (\d+) \+ (\d+) \+ (\d+) = (\d+)$/.exec(text) ?? assert.fail(text);
    assert.equal(Number(first) + Number(second) + Number(third), Number(sum));
    for (const roll of [first, second, third]) assert.ok(Number(roll) >= 1 && Number(roll) <= 20);
  });

  it('says what is wrong with arguments', async (test) => {
    const { source, loader } = await load();
    test.after(() => loader.stop());
    const result = await source.dispatch({ id: 'call_1', name: 'roll_dice', arguments: { sides: 1 } });
    assert.equal(result.ok || result.error.code, 'INVALID_ARGS');
  });
});
