import assert from 'node:assert/strict';
import { createDispatcher, defineTool, renderForModel } from '@haft/core';
import { createPermissionEngine } from '@haft/permission';
import { z } from 'zod';

const sent: string[] = [];
const send = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  input: z.object({ to: z.string(), text: z.string() }),
  initialTitle: ({ to }) => `Send a mail to ${to}`,
  execute: ({ to }) => {
    sent.push(to);
    return `sent to ${to}`;
  },
});

const questions: string[] = [];
const permission = createPermissionEngine({
  rules: [{ action: 'deny', tool: 'send_mail', host: 'evil.example', reason: 'We never write there.' }],
  // A program would ask its user here. This one allows internal addresses for the rest of the session.
  ask: ({ title }) => {
    questions.push(title);
    return title.endsWith('@our.example')
      ? { action: 'allow', scope: 'session' }
      : { action: 'deny', reason: 'Not outside.' };
  },
});
const source = createDispatcher({ registry: [send], permission });
const mail = (id: string, to: string) =>
  source.dispatch({ id, name: 'send_mail', arguments: { to, text: 'hello' } }, { sessionId: 'chat 1' });

assert.ok((await mail('1', 'ada@our.example')).ok);
assert.ok((await mail('2', 'ada@our.example')).ok); // remembered: the same call is not asked about again
assert.deepEqual(questions, ['Send a mail to ada@our.example']);

const denied = await mail('3', 'eve@else.example');
assert.ok(!denied.ok && denied.error.code === 'PERMISSION_DENIED');
assert.match(renderForModel(denied), /Not outside\./); // the model reads the reason, and does not try another way
assert.deepEqual(sent, ['ada@our.example', 'ada@our.example']);

// If no user can be asked, the answer is no; the call never waits forever.
const alone = createDispatcher({ registry: [send], permission: createPermissionEngine() });
const unasked = await alone.dispatch({ id: '4', name: 'send_mail', arguments: { to: 'a', text: 'b' } });
assert.ok(!unasked.ok && unasked.error.denial?.source === 'no-approver');

console.log('Permission: the user was asked once, a denial was explained, and without a user the answer was no.');
