import assert from 'node:assert/strict';
import { createDispatcher, defineTool, renderForModel } from '@haft/core';
import { z } from 'zod';

const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather forecast for a city.',
  kind: 'read',
  input: z.strictObject({ city: z.string(), days: z.int().max(7).default(1) }),
  execute: ({ city, days }) => `${city}: sun for ${days} days`,
});
const source = createDispatcher({ registry: [forecast] });

// Typical model output: unquoted keys, a number as a string, a trailing comma.
const call = { id: 'call_1', name: 'forecast', arguments: `{city: 'Bern', "days": "3",}` };
const result = await source.dispatch(call);
assert.equal(renderForModel(result), 'Bern: sun for 3 days');
assert.deepEqual(
  result.arguments?.coercions.map(({ code }) => code),
  ['number_parsed'],
);

// Invalid arguments are refused before the body runs, and the model reads how to correct them.
const wrong = await source.dispatch({ id: 'call_2', name: 'forecast', arguments: '{"town": "Bern", "days": 30}' });
assert.ok(!wrong.ok && wrong.error.code === 'INVALID_ARGS');
assert.match(renderForModel(wrong), /\$\.city/);

// An unknown name is answered with the nearest one.
const unknown = await source.dispatch({ id: 'call_3', name: 'forcast', arguments: '{}' });
assert.match(renderForModel(unknown), /forecast/);

console.log('One tool: a damaged call was run, a wrong one explained, an unknown name corrected.');
