import { otherDelimiterAt } from '../../text/delimiters.ts';
import type { Fix } from '../../machine/fix.ts';
import type { Machine } from '../../machine/machine.ts';
import { beginString } from '../../machine/string-token.ts';
import { type StringToken } from '../../machine/machine.ts';

const opening = (role: StringToken['role']): Fix => ({
  // The delimiter names the repair: `single-quotes`, `smart-quotes`, `triple-quotes` and so on.
  code: 'other-quotes',
  risk: 'safe',
  attempt: (machine: Machine) => {
    const delimiter = otherDelimiterAt(machine.text, machine.at);
    if (delimiter === undefined) return undefined;
    beginString(machine, role, delimiter);
    return 'readString';
  },
});

/** A key between quotes that are not JSON's. `{'a': 1}` `{“a”: 1}` */
export const otherQuotesKey: Fix = opening('key');

/** A string between quotes that are not JSON's. `['a']` ``[`a`]`` */
export const otherQuotesValue: Fix = opening('value');
