import { aFunction, aNumber, aString, oneOf, required, type OptionTable } from './index.ts';

interface Options {
  readonly name: string;
  readonly mode?: 'a' | 'b';
  readonly count?: number;
  readonly onEvent?: (event: { readonly type: string }) => void;
}

const right: OptionTable<Options> = {
  name: required(aString),
  mode: oneOf('a', 'b', 'c'),
  count: aNumber(),
  onEvent: aFunction,
};

// @ts-expect-error -- an option is forgotten.
const forgotten: OptionTable<Options> = { name: required(aString), mode: oneOf('a', 'b'), count: aNumber() };
// @ts-expect-error -- there is no such option.
const stray: OptionTable<Options> = { ...right, cuont: aNumber() } satisfies OptionTable<Options>;
// @ts-expect-error -- `name` can't be left out.
const lax: OptionTable<Options> = { ...right, name: aString };
// @ts-expect-error -- `mode` can be left out.
const strict: OptionTable<Options> = { ...right, mode: required(oneOf('a', 'b')) };
// @ts-expect-error -- `b` would be refused.
const narrow: OptionTable<Options> = { ...right, mode: oneOf('a') };
// @ts-expect-error -- every number would be refused.
const wrong: OptionTable<Options> = { ...right, count: aString };

export const tables: readonly unknown[] = [right, forgotten, stray, lax, strict, narrow, wrong];
