// Reads a question on standard input and answers it on standard output. A process of its own, since a parser that text
// brings down takes its process with it, and Node's own for TypeScript warns whoever uses it.
import { readModule, type ModuleQuestion } from './read-module.ts';

let text = '';
process.stdin.setEncoding('utf8');
for await (const chunk of process.stdin) text += chunk as string;
process.stdout.write(JSON.stringify(readModule(JSON.parse(text) as ModuleQuestion) ?? null));
