// Reads a question on standard input and answers it on standard output. It runs in a separate process because a text
// that crashes the parser ends the process, and because Node's TypeScript stripping prints warnings.
import { readModule, type ModuleQuestion } from './read-module.ts';

let text = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) text += chunk as string;
process.stdout.write(JSON.stringify(readModule(JSON.parse(text) as ModuleQuestion) ?? null));
