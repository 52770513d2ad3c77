import { scriptedModel, type ScriptedModel, type ScriptedTurn } from '@haft/runner/testing';

/** Events around the model. Each resolves when its effect is visible. */
export interface Beats {
  /** Saves a plugin file in the watched folder. */
  dropPlugin(): Promise<void>;
  /** Saves the same file, broken. */
  breakPlugin(): Promise<void>;
  /** Fixes it and saves it again. */
  editPlugin(): Promise<void>;
  /** Deletes it. */
  removePlugin(): Promise<void>;
  /** Drops the tools in memory and loads them from the store. */
  restart(): Promise<void>;
  /** Starts and connects an MCP server. */
  connectServer(): Promise<void>;
  /** Pauses, so that the user can read along. */
  pause(): Promise<void>;
}

const roundFile = [
  '/** Machines on the pier take nothing smaller than ten cents. */',
  'const smallestCoin = 10;',
  '',
  '/** Rounds a price in cents up to what the machines take. */',
  'export function roundUp(cents) {',
  '  return Math.ceil(cents / smallestCoin) * smallestCoin;',
  '}',
  '',
].join('\n');

const cutArguments = JSON.stringify({ path: 'src/round-up.js', content: roundFile }).slice(0, 178);

const fareWithRounding = {
  path: 'src/fare.js',
  old_text: ['  if (age < 15) return full / 2;', '  if (age >= 65) return full * 0.75;', '  return full;'].join('\n'),
  new_text: [
    '  if (age < 15) return roundUp(full / 2);',
    '  if (age >= 65) return roundUp(full * 0.75);',
    '  return roundUp(full);',
  ].join('\n'),
};

/** A tool that the model writes for itself. */
const ownTool = {
  name: 'round_fare',
  description: 'Rounds a price in cents up to the next ten.',
  fields: [{ name: 'cents', type: 'integer' }],
  body: 'return Math.ceil(args.cents / 10) * 10;',
  tests: [
    { arguments: { cents: 431 }, expected: 440 },
    { arguments: { cents: 430 }, expected: 430 },
  ],
};

const changes = ['Passengers of 65 pay the senior fare.', 'Tickets are rounded up to the next ten cents.'];

/**
 * The model of the tour: its words are scripted, and broken the way real models break things. Its calls are real: they
 * use the whole pipeline on real files and processes, and the script would fail if they failed.
 */
export function createTourModel(beats: Beats): ScriptedModel {
  const turns: readonly ScriptedTurn[] = [
    {
      text: 'The tests of this project fail. I begin with three files at once.',
      calls: [
        { name: 'read', arguments: { path: 'README.md' } },
        { name: 'read', arguments: { path: 'src/fare.js' } },
        { name: 'read', arguments: { path: 'test/fare.test.js' } },
      ],
    },
    {
      text: 'I keep a task list that you can see. And is there a tariff on an internal server?',
      calls: [
        {
          name: 'todo',
          arguments: {
            items: [{ task: 'fix the senior fare', status: 'in_progress' }, { task: 'round up to ten cents' }],
          },
        },
        { name: 'web_fetch', arguments: { url: 'http://169.254.169.254/latest/tariff' } },
      ],
    },
    {
      text: 'Now the tests themselves. (My arguments are not JSON: bare keys, single quotes, a trailing comma.)',
      calls: [{ name: 'bash', arguments: "{command: 'node --test', timeout_ms: 30000,}" }],
    },
    {
      text: [
        'Where is rounding mentioned? (I write this call into my text instead of making it.)',
        '<tool_call>{"name": "grep", "arguments": {"pattern": "ten cents|tariff", "path": "."}}</tool_call>',
      ].join('\n'),
      finishReason: 'stop',
    },
    {
      text: 'A passenger of 65 is a senior. (I use the parameter names of another framework.)',
      calls: [
        {
          name: 'edit',
          arguments: { file_path: 'src/fare.js', old_string: 'if (age > 65)', new_string: 'if (age >= 65)' },
        },
      ],
    },
    {
      text: 'What is in src? (No tool here has a parameter of this name.)',
      calls: [{ name: 'ls', arguments: { whereabouts: 'src' } }],
    },
    { text: 'Again, with the right name.', calls: [{ name: 'ls', arguments: { path: 'src' } }] },
    {
      text: 'Rounding gets a file of its own. (I run into my token limit in the middle of the file.)',
      calls: [{ name: 'write', arguments: cutArguments, cut: true }],
      finishReason: 'length',
    },
    {
      text: 'Nothing was written. The whole file again, and then the places that use it.',
      calls: [
        { name: 'write', arguments: { path: 'src/round-up.js', content: roundFile } },
        { name: 'edit', arguments: fareWithRounding },
        {
          name: 'edit',
          arguments: {
            path: 'src/fare.js',
            old_text: "import { tariff } from './tariff.js';\n",
            new_text: "import { roundUp } from './round-up.js';\nimport { tariff } from './tariff.js';\n",
          },
        },
      ],
    },
    async () => {
      await beats.dropPlugin();
      return {
        text: 'I publish this right away.',
        calls: [{ name: 'bash', arguments: { command: 'git push --force origin main' } }],
      };
    },
    async () => {
      await beats.connectServer();
      return {
        text: 'I am not allowed to publish. There is a new tool, though: changelog_entry.',
        calls: [{ name: 'changelog_entry', arguments: { version: '1.0.1', changes: changes.slice(0, 1) } }],
      };
    },
    async () => {
      await beats.breakPlugin();
      return {
        text: 'Both changes belong in the entry. And the new server adds up what an adult and a child pay.',
        calls: [
          { name: 'changelog_entry', arguments: { version: '1.0.1', changes } },
          { name: 'everything_get-sum', arguments: { a: 860, b: '430' } },
        ],
      };
    },
    {
      text: 'Prices are rounded in several places. I write a tool for that. (My first one does not pass its own test.)',
      calls: [{ name: 'new_tool', arguments: { ...ownTool, body: 'return Math.floor(args.cents / 10) * 10;' } }],
    },
    { text: 'Up, not down.', calls: [{ name: 'new_tool', arguments: ownTool }] },
    async () => {
      await beats.editPlugin();
      return {
        text: 'My tool is tested again and used, and so is the plugin, now that it is fixed.',
        calls: [
          { name: 'test_tool', arguments: { name: 'round_fare' } },
          { name: 'round_fare', arguments: { cents: 433 } },
          { name: 'changelog_entry', arguments: { version: '1.0.1', changes } },
        ],
      };
    },
    async () => {
      await beats.restart();
      const content = `## 1.0.1\n\n${changes.map((each) => `- ${each}\n`).join('')}`;
      return {
        text: 'The entry goes into the change log.',
        calls: [{ name: 'write', arguments: { path: 'CHANGELOG.md', content } }],
      };
    },
    async () => {
      await beats.removePlugin();
      return {
        text: 'Is my tool still there after the restart? And the tests once more.',
        calls: [
          { name: 'round_fare', arguments: { cents: 645 } },
          { name: 'list_tools', arguments: { provider: 'dynamic/generated' } },
          { name: 'bash', arguments: { command: 'node --test' } },
          {
            name: 'todo',
            arguments: {
              changes: [
                { number: 1, status: 'completed' },
                { number: 2, status: 'completed' },
              ],
            },
          },
        ],
      };
    },
    'All tests pass. There were two mistakes: 65 did not count as senior, and prices were not rounded.',
  ];
  return scriptedModel(
    turns.map((turn, index) => paced(turn, index, beats)),
    { name: 'script', vendor: 'haft' },
  );
}

function paced(turn: ScriptedTurn, index: number, beats: Beats): ScriptedTurn {
  return async (request) => {
    if (index > 0) await beats.pause();
    return typeof turn === 'function' ? turn(request, index) : turn;
  };
}
