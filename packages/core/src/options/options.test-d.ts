import { functionKind, numberKind, stringKind, oneOf, required, type OptionTable } from './index.ts';

interface Options {
  readonly name: string;
  readonly mode?: 'a' | 'b';
  readonly count?: number;
  readonly onEvent?: (event: { readonly type: string }) => void;
}

const right: OptionTable<Options> = {
  name: required(stringKind),
  mode: oneOf('a', 'b', 'c'),
  count: numberKind(),
  onEvent: functionKind,
};

// @ts-expect-error -- an option is forgotten.
const forgotten: OptionTable<Options> = { name: required(stringKind), mode: oneOf('a', 'b'), count: numberKind() };
// @ts-expect-error -- there is no such option.
const stray: OptionTable<Options> = { ...right, cuont: numberKind() } satisfies OptionTable<Options>;
// @ts-expect-error -- `name` can't be left out.
const lax: OptionTable<Options> = { ...right, name: stringKind };
// @ts-expect-error -- `mode` can be left out.
const strict: OptionTable<Options> = { ...right, mode: required(oneOf('a', 'b')) };
// @ts-expect-error -- `b` would be refused.
const narrow: OptionTable<Options> = { ...right, mode: oneOf('a') };
// @ts-expect-error -- every number would be refused.
const wrong: OptionTable<Options> = { ...right, count: stringKind };

export const tables: readonly unknown[] = [right, forgotten, stray, lax, strict, narrow, wrong];
