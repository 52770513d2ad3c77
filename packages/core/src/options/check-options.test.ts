import { describe, expect, it } from 'vitest';
import { HaftError } from '../haft-error.ts';
import {
  booleanKind,
  absolutePathKind,
  functionKind,
  numberKind,
  integerKind,
  arrayOf,
  stringKind,
  urlKind,
  both,
  checkOption,
  checkOptions,
  custom,
  described,
  either,
  millisecondsKind,
  nonEmptyStringKind,
  objectOf,
  oneOf,
  recordOf,
  required,
  type OptionTable,
} from './index.ts';

interface Options {
  readonly model: string;
  readonly mode?: 'fast' | 'careful';
  readonly attempts?: number;
  readonly onEvent?: () => void;
  readonly roots?: readonly string[];
  readonly retries?: { readonly delayMs?: number };
  readonly apiKey?: string;
  readonly network?: boolean | { readonly hosts: readonly string[] };
  readonly labels?: Readonly<Record<string, string>>;
  readonly url?: string;
}

const table: OptionTable<Options> = {
  model: required(nonEmptyStringKind),
  mode: oneOf('fast', 'careful'),
  attempts: integerKind({ min: 0, max: 9 }),
  onEvent: functionKind,
  roots: arrayOf(absolutePathKind, 'a list of absolute paths'),
  retries: objectOf<{ readonly delayMs?: number }>({ delayMs: millisecondsKind }, '{ delayMs: 500 }'),
  apiKey: described(
    'a key with its prefix',
    both(
      stringKind,
      custom('', (value) => String(value).startsWith('k-')),
    ),
  ),
  network: either(
    booleanKind,
    objectOf<{ readonly hosts: readonly string[] }>({ hosts: required(arrayOf(stringKind)) }, '{ hosts: [] }'),
  ),
  labels: recordOf(stringKind),
  url: urlKind('https:'),
};

function refusal(given: unknown): string {
  try {
    checkOptions('makeThing', given, table, '{ model: "m" }');
  } catch (error) {
    expect(error).toBeInstanceOf(HaftError);
    expect(error).toMatchObject({ code: 'INVALID_OPTION' });
    return (error as HaftError).message;
  }
  return 'accepted';
}

describe('checkOptions', () => {
  it.each<[unknown, string]>([
    [undefined, 'its argument is not valid (expected an object such as { model: "m" }, got undefined)'],
    [[], 'its argument is not valid (expected an object such as { model: "m" }, got a list)'],
    [{}, 'model is missing (expected a string that is not empty)'],
    [{ modell: 'm' }, 'modell is not an option (did you mean model?)'],
    [{ model: 'm', __proto__: null, constructor: 1 }, 'constructor is not an option (expected one of model, mode, '],
    [{ model: '' }, 'model is not valid (expected a string that is not empty, got "")'],
    [{ model: 'm', mode: 'slow' }, 'mode is not valid (expected "fast" or "careful", got "slow")'],
    [{ model: 'm', mode: null }, 'mode is not valid (expected "fast" or "careful", got null)'],
    [{ model: 'm', attempts: 1.5 }, 'attempts is not valid (expected a whole number from 0 to 9, got 1.5)'],
    [{ model: 'm', attempts: 10 }, 'attempts is not valid (expected a whole number from 0 to 9, got 10)'],
    [{ model: 'm', attempts: NaN }, 'attempts is not valid (expected a whole number from 0 to 9, got NaN)'],
    [{ model: 'm', onEvent: {} }, 'onEvent is not valid (expected a function, got an object)'],
    [{ model: 'm', roots: '/a' }, 'roots is not valid (expected a list of absolute paths, got "/a")'],
    [{ model: 'm', roots: ['/a', 'b'] }, 'roots[1] is not valid (expected an absolute path, got "b")'],
    [{ model: 'm', onStepFinish: () => {} }, 'onStepFinish is not an option (did you mean onEvent?)'],
    [{ model: 'm', retries: { delay: 5 } }, 'retries.delay is not an option (did you mean delayMs?)'],
    [
      { model: 'm', retries: { delayMs: 0 } },
      'retries.delayMs is not valid (expected a number of milliseconds above 0, got 0)',
    ],
    [{ model: 'm', retries: Promise.resolve() }, 'accepted'],
    [
      { model: 'm', network: 'yes' },
      'network is not valid (expected true or false or an object such as { hosts: [] }, got "yes")',
    ],
    [{ model: 'm', network: {} }, 'network.hosts is missing (expected an array, each item a string)'],
    [{ model: 'm', labels: { a: 1 } }, 'labels.a is not valid (expected a string, got 1)'],
    [
      { model: 'm', url: 'http://a.example' },
      'url is not valid (expected the URL of https://…, got "http://a.example")',
    ],
    [
      { model: 'm', apiKey: 'hunter2' },
      'apiKey is not valid (expected a key with its prefix, got a string of 7 characters)',
    ],
  ])('reports the problem, the expected value and the actual value for %j', (given, expected) => {
    expect(refusal(given)).toContain(expected === 'accepted' ? expected : `makeThing: ${expected}`);
  });

  it('accepts valid options, and treats undefined as missing', () => {
    const right = {
      model: 'm',
      mode: undefined,
      attempts: 9,
      network: { hosts: ['a'] },
      url: 'https://a.example',
      nope: undefined,
    };
    expect(refusal(right)).toBe('accepted');
  });

  it('reads inherited options, like the function that takes them', () => {
    expect(refusal(Object.create({ model: 5 }))).toContain('model is not valid');
  });

  it('reports an option that throws when it is read, without the thrown value', () => {
    const hostile = {
      model: 'm',
      get mode() {
        throw new Error('the secret');
      },
    };
    expect(refusal(hostile)).toBe(
      'makeThing: its argument could not be read (expected plain values, got one that throws)',
    );
  });

  it('never suggests a name with the opposite meaning', () => {
    const lists = { include: arrayOf(stringKind) };
    const check = (given: object) => () => checkOptions('makeThing', given, lists, '{}');
    expect(check({ exclude: [] })).toThrow('makeThing: exclude is not an option (expected one of include)');
    expect(check({ includes: [] })).toThrow('makeThing: includes is not an option (did you mean include?)');
  });

  it('throws the error that the package creates', () => {
    const check = () => checkOptions('makeThing', {}, table, '{}', (message) => new RangeError(message));
    expect(check).toThrow(RangeError);
    expect(check).toThrow('makeThing: model is missing');
  });
});

describe('checkOption', () => {
  it('names the invalid value', () => {
    expect(() => checkOption('makeThing', 'its first argument', 0, numberKind({ above: 0 }))).toThrow(
      'makeThing: its first argument is not valid (expected a number above 0, got 0)',
    );
  });
});
