import type { Aspect, Damage } from './damage.ts';
import type { Draft } from '../../json-documents/draft.ts';
import { nextMeaningful, placesOf, previousMeaningful, putIn, rewrite, someOf } from '../../json-documents/draft.ts';
import { pickOfRow } from '../../random.ts';
import type { Random } from '../../random.ts';
import type { Token } from '../../json-documents/tokens.ts';

function structural(
  name: string,
  touches: readonly Aspect[],
  apply: (draft: Draft, random: Random) => Draft | undefined,
): Damage {
  return { name, group: 'structure', touches, apply };
}

/** Inserts text before some of the offsets, from last to first, so that offsets stay valid. */
function putInAt(
  draft: Draft,
  places: readonly number[],
  text: (token: Token | undefined) => string,
): Draft | undefined {
  if (places.length === 0) return undefined;
  return places.toReversed().reduce((current, place) => putIn(current, place, text(draft.tokens[place])), draft);
}

const closersAfterContent = (draft: Draft): readonly number[] =>
  placesOf(draft, 'close', (_, index) => draft.tokens[previousMeaningful(draft.tokens, index)]?.kind !== 'open');

/** Replaces the comma between two members or items by something else. */
function missingComma(name: string, between: string): Damage {
  return structural(name, ['commas'], (draft, random) => {
    const place = placesOf(draft, 'comma', (_, index) => {
      const next = draft.tokens[nextMeaningful(draft.tokens, index + 1)];
      const before = draft.tokens[previousMeaningful(draft.tokens, index)];
      // Without a separator, two numbers or words would merge.
      const runsOn = /[\w.]$/.test(before?.text ?? '') && /^[-\w.]/.test(next?.text ?? '');
      return !(between === '' && runsOn);
    });
    if (place.length === 0) return undefined;
    const comma = random.pick(place);
    const next = nextMeaningful(draft.tokens, comma + 1);
    return {
      ...draft,
      tokens: draft.tokens.map((token, index) =>
        index === comma ? { ...token, text: between } : index > comma && index < next ? { ...token, text: '' } : token,
      ),
    };
  });
}

const comments = (name: string, write: (random: Random) => string): Damage =>
  structural(name, ['spaces'], (draft, random) => {
    const places = placesOf(draft, ['key', 'string', 'number', 'word', 'close', 'open'], (_, index) => {
      const before = draft.tokens[previousMeaningful(draft.tokens, index)]?.kind;
      return index > 0 && (before === 'comma' || before === 'open');
    });
    return putInAt(draft, someOf(places, random), () => write(random));
  });

const remarks = [
  'keep this one',
  'see above',
  'the "old" name',
  'check, then remove',
  "don't change",
  'was: "a": 1,',
  'https://example.com/why',
  'optional }',
  'required, see [docs]',
  'default is true',
] as const;

/** Lists with at least two scalars, by the positions of their brackets. */
function scalarLists(draft: Draft): readonly (readonly [number, number])[] {
  return placesOf(draft, 'open', ({ text }) => text === '[').flatMap((open) => {
    const container = draft.tokens[open]?.container;
    const close = draft.tokens.findIndex(
      (token, index) => index > open && token.kind === 'close' && token.container === container,
    );
    const between = draft.tokens.slice(open + 1, close);
    const plain = between.every((token) => token.kind !== 'open') && between.some((token) => token.kind === 'comma');
    return plain ? [[open, close] as const] : [];
  });
}

/** Closers of inner containers that a key follows. */
export function closersBeforeKeys(draft: Draft, bracket: string): readonly number[] {
  return placesOf(draft, 'close', ({ text }, index) => {
    const comma = nextMeaningful(draft.tokens, index + 1);
    return (
      text === bracket &&
      draft.tokens[comma]?.kind === 'comma' &&
      draft.tokens[nextMeaningful(draft.tokens, comma + 1)]?.kind === 'key'
    );
  });
}

export const structureDamages: readonly Damage[] = [
  comments('block comments', (random) => `/* ${pickOfRow(random, remarks)} */ `),
  comments('hash comments', (random) => `# ${pickOfRow(random, remarks)}\n`),
  comments('line comments', (random) => `// ${pickOfRow(random, remarks)}\n`),
  structural('doubled commas', ['commas'], (draft, random) =>
    rewrite(draft, someOf(placesOf(draft, 'comma'), random), () => random.pick([',,', ', ,'])),
  ),
  structural('ellipsis', ['commas', 'closers'], (draft, random) => {
    const places = closersAfterContent(draft);
    return putInAt(draft, places.length === 0 ? [] : [random.pick(places)], () =>
      random.pick([', ...', ',...', ', …']),
    );
  }),
  structural('other signs for colons', ['colons'], (draft, random) => {
    const sign = random.pick(['=', ' = ', '=>', ' => ', ':=', ' := ']);
    return rewrite(draft, someOf(placesOf(draft, 'colon'), random), () => sign);
  }),
  structural('extra closer in the middle', ['closers'], (draft, random) => {
    const places = placesOf(
      draft,
      'close',
      (_, index) =>
        index < draft.tokens.length - 1 && draft.tokens[nextMeaningful(draft.tokens, index + 1)]?.kind === 'comma',
    );
    return rewrite(draft, places.length === 0 ? [] : [random.pick(places)], ({ text }) => text + text);
  }),
  structural('extra closers at the end', ['closers', 'after'], (draft, random) =>
    rewrite(
      draft,
      placesOf(draft, 'close', (_, index) => index === draft.tokens.length - 1),
      ({ text }) => text + random.pick(['}', ']', '}}', ']}']),
    ),
  ),
  structural('leading comma', ['commas', 'openers'], (draft, random) => {
    const places = placesOf(
      draft,
      'open',
      (_, index) => draft.tokens[nextMeaningful(draft.tokens, index + 1)]?.kind !== 'close',
    );
    return rewrite(draft, someOf(places, random), ({ text }) => `${text},`);
  }),
  structural('line breaks written as escapes', ['spaces'], (draft) =>
    rewrite(
      draft,
      placesOf(draft, 'space', ({ text }) => text.includes('\n')),
      ({ text }) => text.replaceAll('\n', '\\n'),
    ),
  ),
  structural('wrong closer', ['closers'], (draft, random) => {
    const places = placesOf(draft, 'close');
    return rewrite(draft, places.length === 0 ? [] : [random.pick(places)], ({ text }) => (text === ']' ? '}' : ']'));
  }),
  structural('both outer braces missing', ['openers', 'closers', 'after', 'before'], (draft) =>
    rewrite(draft, [0, draft.tokens.length - 1], () => ''),
  ),
  structural('closer of a list missing before a key', ['closers'], (draft, random) => {
    const places = closersBeforeKeys(draft, ']');
    return rewrite(draft, places.length === 0 ? [] : [random.pick(places)], () => '');
  }),
  structural('closers missing at the end', ['closers', 'after'], (draft, random) => {
    const closers = placesOf(draft, 'close');
    let first = closers.length - 1;
    while (first > 0 && previousMeaningful(draft.tokens, closers[first] ?? 0) === closers[first - 1]) first -= 1;
    const from = random.pick(closers.slice(first));
    return rewrite(
      draft,
      draft.tokens.flatMap((_, index) => (index >= from ? [index] : [])),
      () => '',
    );
  }),
  structural('missing colon', ['colons'], (draft, random) => {
    const place = random.pick(placesOf(draft, 'colon'));
    const space = draft.tokens[place + 1]?.kind === 'space';
    return rewrite(draft, [place], () => (space ? '' : random.pick(['', ' '])));
  }),
  missingComma('missing comma, nothing between', ''),
  missingComma('missing comma, a line break between', '\n'),
  missingComma('missing comma, a space between', ' '),
  structural('opening brace missing', ['openers', 'before'], (draft) => rewrite(draft, [0], () => '')),
  structural('Python tuple', ['openers', 'closers'], (draft, random) => {
    const lists = scalarLists(draft);
    if (lists.length === 0) return undefined;
    const [open, close] = random.pick(lists);
    return rewrite(draft, [open, close], ({ text }) => (text === '[' ? '(' : ')'));
  }),
  structural('semicolons for commas', ['commas'], (draft, random) =>
    rewrite(draft, someOf(placesOf(draft, 'comma'), random), () => ';'),
  ),
  structural('trailing commas', ['commas', 'closers'], (draft, random) =>
    putInAt(draft, someOf(closersAfterContent(draft), random), () => ','),
  ),
];
