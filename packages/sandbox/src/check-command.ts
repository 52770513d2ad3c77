import { checkText, describeGiven } from './check-given.ts';

const example = "such as { command: 'ls', cwd: '/project' }";
const numbers = ['timeoutMs', 'killGraceMs', 'maxOutputBytes'] as const;
const choices = { streams: ['combined', 'separate'], background: ['kill', 'keep'] } as const;

/**
 * Refuses options that name no command that could be run, before anything is started.
 *
 * @throws TypeError naming the option, what was expected and what was given.
 */
export function checkCommand(given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`the options must be an object ${example}, not ${describeGiven(given)}`);
  const options = given as Readonly<Record<string, unknown>>;
  checkText('command', options['command'], 'ls');
  checkText('cwd', options['cwd'], '/project');
  const { args, stdin, shell, signal, onOutput } = options;
  const isList = args === undefined || (Array.isArray(args) && args.every((one) => typeof one === 'string'));
  expect('args', isList, 'a list of strings', args);
  const isInput = stdin === undefined || typeof stdin === 'string' || stdin instanceof Uint8Array;
  expect('stdin', isInput, 'a string or bytes', stdin);
  const isShell = shell === undefined || typeof shell === 'boolean' || typeof shell === 'string';
  expect('shell', isShell, 'true, false or the name of a shell', shell);
  const isSignal =
    signal === undefined || (typeof signal === 'object' && signal !== null && 'addEventListener' in signal);
  expect('signal', isSignal, 'an AbortSignal', signal);
  expect('onOutput', onOutput === undefined || typeof onOutput === 'function', 'a function', onOutput);
  for (const name of numbers) {
    const value = options[name];
    const isAmount = value === undefined || (typeof value === 'number' && value >= 0);
    expect(name, isAmount, 'a number from 0', value);
  }
  for (const [name, known] of Object.entries(choices)) {
    const value = options[name];
    const isKnown = value === undefined || known.some((choice) => choice === value);
    expect(name, isKnown, `one of '${known.join("', '")}'`, value);
  }
}

function expect(name: string, isRight: boolean, expected: string, given: unknown): void {
  if (!isRight) throw new TypeError(`${name} must be ${expected}, not ${describeGiven(given)}`);
}
