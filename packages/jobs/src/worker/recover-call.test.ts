import { defineTool, type AnyTool } from '@haft/core';
import { describe, expect, it } from 'vitest';

import { recoverCall } from './recover-call.ts';

const call = { id: 'call_1', name: 'pay', arguments: {} };

function toolWith(recover: NonNullable<AnyTool['recover']>): AnyTool {
  const pay = defineTool({ name: 'pay', description: 'Pays.', input: { type: 'object' }, execute: () => 'paid' });
  return { ...(pay as AnyTool), recover };
}

describe('recovering a call', () => {
  it('ends when the signal aborts, even if the tool never answers', async () => {
    const controller = new AbortController();
    const recovered = recoverCall(
      toolWith(() => new Promise(() => undefined)),
      call,
      'key',
      controller.signal,
    );
    controller.abort(new Error('too late'));
    expect(await recovered).toEqual({ as: 'unknown', reason: 'recover failed: too late' });
  });

  it('gives a reason that the database can store, whatever the tool throws', async () => {
    const tool = toolWith(() => {
      throw new Error('a\0b\uD800c');
    });
    const reason = 'recover failed: a\uFFFDb\uFFFDc';
    expect(await recoverCall(tool, call, 'key', new AbortController().signal)).toEqual({ as: 'unknown', reason });
  });
});
