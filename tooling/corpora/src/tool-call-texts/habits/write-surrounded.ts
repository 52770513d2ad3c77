import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';
import { writeKeywords } from '../calls/notations.ts';
import type { Habit } from './write-habits.ts';
import type { Mention } from './write-mentions.ts';

const object = ({ name, arguments: value }: Call): string => JSON.stringify({ name, arguments: value });

const writeCode = (call: Call, random: Random): string =>
  `${call.name}(${writeKeywords(call.arguments, random)})`.replaceAll(/\s*\n\s*/g, ' ').replaceAll('`', "'");

/** The call on lines of its own, as code or as JSON, in a fence or without one. */
function writeBlock(call: Call, random: Random): string {
  const code = writeCode(call, random);
  return random.pick([
    `[${code}]`,
    object(call).replaceAll('`', "'"),
    `\`\`\`python\n${code}\n\`\`\``,
    `\`\`\`json\n${object(call).replaceAll('`', "'")}\n\`\`\``,
  ]);
}

// The subject of a call is often a text that could be quoted, too.
const intentions = [
  "I'll send the e-mail now:",
  'Let me search the logs of the last hours.',
  'Before anything else, I need the history:',
  'I will delete the message that you found.',
  "Let's look that up in the documentation:",
  "You asked for the log, so here's the call:",
  "I don't know that, so I'll ask the tool:",
  "I can't see the page myself, so let me read it.",
  'Using the history of the user:',
  'Based on the docs, this is the call to make:',
] as const;
const remarks = [
  'The tool does not need a version.',
  'This function does not take a date, so none is given.',
  'Is there anything else I can help you with?',
  "Once it's done, would you like anything else?",
  'The answer will not contain deleted messages.',
  'I have not set the limit because you did not mention one.',
] as const;

// The beginnings of sentences that end with a call.
const announcements = [
  'The call is:',
  "I'll call",
  'Let me run',
  'I need to use',
  'So the call that answers this is:',
  'Die Funktion, die ich jetzt aufrufe, ist:',
] as const;
const introductions = [
  'You can use the tool like this, e.g.',
  'Such a call looks like',
  'The tool is called with an object, for example',
  'A call has the form',
  'The syntax is',
  'Ein Aufruf sähe so aus:',
  'On peut aussi écrire, par exemple,',
  'Se puede llamar así, por ejemplo:',
] as const;

/** The call within a sentence, as code in brackets or as JSON. */
const writeInline = (call: Call, random: Random): string =>
  random.pick([`[${writeCode(call, random)}]`, object(call).replaceAll('`', "'")]);

/** Calls between sentences about their subject and their arguments. */
export const surroundedHabits: readonly Habit[] = [
  {
    name: 'between an intention and a remark',
    write: ([call, ...others], random) =>
      call === undefined || others.length > 0 || /`/.test(JSON.stringify(call.arguments))
        ? undefined
        : `${random.pick(intentions)}\n\n${writeBlock(call, random).trim()}\n\n${random.pick(remarks)}`,
  },
  {
    name: 'at the end of an announcement',
    write: ([call, ...others], random) =>
      call === undefined || others.length > 0 || /`/.test(JSON.stringify(call.arguments))
        ? undefined
        : `${random.pick(announcements)} ${writeInline(call, random)}`,
  },
];

const reports = [
  'The call from the log:',
  'Here is the call from the documentation:',
  'Here is the call that I found in the logs:',
  "I'll quote the log:",
  'I will show you what the manual says:',
  'The call that failed was:',
  'From the history:',
  "I won't make this call:",
  'We never use this form, please:',
  'I need to know whether this is right:',
  'I would run this:',
  'The request body is:',
  'The payload was:',
] as const;
const refusals = [
  'None of the tools can do that, however.',
  'The tools do not cover that.',
  'I do not have a function for that.',
  'But no tool is needed here.',
  'Do you want me to run it?',
  'Which one do you prefer?',
  'Tell me whether I should run it.',
] as const;
const endings = ['That is what it says.', 'It was two weeks ago.', 'I leave that alone.', 'So much for that.'] as const;

/** The same calls, quoted, refused or offered. */
export const surroundedMentions: readonly Mention[] = [
  {
    name: 'between a report and a remark',
    write: (call, random) => `${random.pick(reports)}\n\n${writeBlock(call, random)}\n\n${random.pick(endings)}`,
  },
  {
    name: 'at the end of an introduction of an example',
    write: (call, random) => `${random.pick(introductions)} ${writeInline(call, random)}${random.pick(['', '.'])}`,
  },
  {
    name: 'before a refusal or an offer',
    write: (call, random) => `Here is the call:\n\n${writeBlock(call, random)}\n\n${random.pick(refusals)}`,
  },
];
