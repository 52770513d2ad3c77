import { defineTool, failure, success, toolError } from '@haft/core';
import { z } from 'zod';

/** Made-up data. Ask a real service here, and pass `signal` to it. */
const temperatures: Readonly<Record<string, number>> = { oslo: -3, rome: 14, lima: 19, tokyo: 8 };

export const getTemperature = defineTool({
  name: 'get_temperature',
  description: 'Returns the current temperature in a city.',
  kind: 'read',
  input: z.object({
    city: z.string().min(1).describe('Name of the city, such as "Oslo"'),
    unit: z.enum(['celsius', 'fahrenheit']).default('celsius'),
  }),
  execute: ({ city, unit }, { callId }) => {
    const celsius = temperatures[city.toLowerCase()];
    if (celsius === undefined) {
      // An expected failure: the model learns what to do next.
      const hint = `Use one of ${Object.keys(temperatures).join(', ')}.`;
      return failure(callId, toolError('UNKNOWN_CITY', `there is no data for ${city}`, { fault: 'model', hint }));
    }
    const value = unit === 'celsius' ? celsius : Math.round(celsius * 1.8 + 32);
    return success(callId, `${city}: ${value} °${unit === 'celsius' ? 'C' : 'F'}`);
  },
});
