import { definePlugin } from '@haft/dynamic-tools/plugin';
import { rollDice } from './roll-dice.ts';

/** The default export of `index.ts` is the plugin. Save this file while a program runs: its tools are replaced at once. */
export default definePlugin({
  name: 'dice',
  version: '0.1.0',
  description: 'Dice for a game master.',
  tools: [rollDice],
});
