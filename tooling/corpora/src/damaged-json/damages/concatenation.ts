import type { Aspect, Damage } from './damage.ts';
import { writtenText } from '../../json-documents/draft.ts';

const touches: readonly Aspect[] = ['before', 'after', 'closers', 'openers'];

export const concatenationDamages: readonly Damage[] = [
  {
    name: 'the same twice',
    group: 'concatenation',
    touches,
    apply: (draft, random) => ({
      ...draft,
      text: [writtenText(draft), writtenText(draft)].join(random.pick(['', '\n', ' '])),
    }),
  },
  {
    name: 'empty, then the real one',
    group: 'concatenation',
    touches,
    apply: (draft, random) => ({ ...draft, text: `{}${random.pick(['', '\n', ' '])}${writtenText(draft)}` }),
  },
];
