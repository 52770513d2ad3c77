import { randomInt } from 'node:crypto';
import { defineTool } from '@haft/core';
import { z } from 'zod';

export const rollDice = defineTool({
  name: 'roll_dice',
  description: 'Rolls dice and returns each result and the sum. Use it for every random decision.',
  // It changes nothing, so the user is not asked. Remove this if the tool changes something.
  kind: 'read',
  input: z.object({
    count: z.int().min(1).max(100).default(1).describe('Number of dice'),
    sides: z.int().min(2).max(1000).default(6).describe('Sides of each die, such as 20'),
  }),
  execute: ({ count, sides }) => {
    const rolls = Array.from({ length: count }, () => randomInt(1, sides + 1));
    return `${count}d${sides}: ${rolls.join(' + ')} = ${rolls.reduce((sum, each) => sum + each, 0)}`;
  },
});
