import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createStore } from '@haft/store';
import { codeOf, createGround } from '../../fixtures/create-ground.ts';
import { createPlanStore } from '../../notes/plan-store.ts';

describe('plan', () => {
  it('stores the plan of a session and replaces it or appends to it', async () => {
    const ground = createGround();
    expect(await ground.say('plan', {})).toBe('There is no plan yet.');
    expect(await ground.say('plan', { append: '# Goal' })).toBe('The plan is stored: 6 characters.');
    await ground.call('plan', { add: '- first\n' });
    await ground.call('plan', { append: '- second' });
    expect(await ground.say('plan', {})).toBe('# Goal\n- first\n- second');
    expect(await ground.say('plan', {}, { sessionId: 'other' })).toBe('There is no plan yet.');
    await ground.call('plan', { plan: 'new' });
    expect(await ground.say('plan', {})).toBe('new');
    expect(await ground.say('plan', { content: '' })).toBe('The plan was removed.');
    ground.remove();
  });

  it('enforces its size limit', async () => {
    const ground = createGround();
    await ground.call('plan', { content: 'x'.repeat(40_000) });
    const result = await ground.call('plan', { append: 'y' });
    expect(codeOf(result)).toBe('INVALID_ARGS');
    expect(await ground.say('plan', { append: 'y' })).toContain('pass a shorter one as content');
    expect(await ground.say('plan', {})).toBe('x'.repeat(40_000));
    expect(codeOf(await ground.call('plan', { content: 'x'.repeat(40_001) }))).toBe('INVALID_ARGS');
    ground.remove();
  });

  it('rejects content and append in the same call', async () => {
    const ground = createGround();
    expect(await ground.say('plan', { content: 'a', append: 'b' })).toContain(
      '$.append: expected content alone or append alone, received both',
    );
    expect(await ground.say('plan', {})).toBe('There is no plan yet.');
    ground.remove();
  });

  it('persists in a store and notifies the program of changes', async () => {
    const store = await createStore({ url: 'memory:' });
    const documents = store.collection('plans', z.object({ plan: z.string() }));
    const changes: string[] = [];
    const ground = createGround({
      builtins: { plans: createPlanStore({ documents, onChange: (_, plan) => changes.push(plan) }) },
    });
    await ground.call('plan', { content: 'a' }, { sessionId: 's' });
    expect(changes).toEqual(['a']);
    expect(await createPlanStore({ documents }).read('s')).toBe('a');
    await store.close();
    ground.remove();
  });
});
