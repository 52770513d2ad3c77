import type { Fix } from '../../machine/fix.ts';
import { isFence } from '../../lookahead/follow.ts';
import { endOfText } from '../../actions/end-of-text.ts';

/** A closing fence or tag where a value is due: the document stopped short, though its wrapper did not. */
export const cutByWrapper: Fix = {
  code: 'missing-closers',
  risk: 'truncated',
  attempt: (machine) => (isFence(machine, machine.at) ? endOfText(machine, 'cut') : undefined),
};
