import assert from 'node:assert/strict';
import { createDispatcher, defineTool, renderForModel } from '@haft/core';
import { z } from 'zod';

const forecast = defineTool({
  name: 'forecast',
  description: 'Tells the weather of the coming days.',
  kind: 'read',
  input: z.strictObject({ city: z.string(), days: z.int().max(7).default(1) }),
  execute: ({ city, days }) => `${city}: sun for ${days} days`,
});
const source = createDispatcher({ registry: [forecast] });

// What models write: no quotes around keys, a number as a string, a comma too many. It is read as it was meant.
const call = { id: 'call_1', name: 'forecast', arguments: `{city: 'Bern', "days": "3",}` };
const result = await source.dispatch(call);
assert.equal(renderForModel(result), 'Bern: sun for 3 days');
assert.deepEqual(
  result.arguments?.coercions.map(({ code }) => code),
  ['number_parsed'],
);

// What can't be meant is refused before the body runs, and the model reads how to do better.
const wrong = await source.dispatch({ id: 'call_2', name: 'forecast', arguments: '{"town": "Bern", "days": 30}' });
assert.ok(!wrong.ok && wrong.error.code === 'INVALID_ARGS');
assert.match(renderForModel(wrong), /\$\.city/);

// A name that does not exist is answered with the one that does.
const unknown = await source.dispatch({ id: 'call_3', name: 'forcast', arguments: '{}' });
assert.match(renderForModel(unknown), /forecast/);

console.log('One tool: a damaged call was run, a wrong one explained, an unknown name corrected.');
