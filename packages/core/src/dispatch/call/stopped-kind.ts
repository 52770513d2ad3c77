import type { OptionKind } from '../../options/option-kind.ts';
import { custom } from '../../options/option-kinds.ts';

/** Why the model ended its message. Other reasons of an API have to be converted to one of the two. */
export const stoppedKind: OptionKind<'stop' | 'length'> = custom(
  '"stop" if the model ended its message by itself, and otherwise "length"',
  (value) => value === 'stop' || value === 'length',
);
