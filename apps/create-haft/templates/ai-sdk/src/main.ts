import { repairToolCall } from '@haft/ai-sdk';
import { isStepCount, streamText } from 'ai';
import { chooseModel } from './choose-model.ts';
import { createTools } from './create-tools.ts';

const task = process.argv.slice(2).join(' ') || 'How warm is it in Oslo and in Rome?';
const { model, description } = orExit(() => chooseModel(process.env));
console.log(`${description}\n\n> ${task}\n`);

const { stream } = streamText({
  model,
  tools: createTools(),
  // Without this, the AI SDK fails a call with broken JSON before a tool sees it.
  repairToolCall,
  stopWhen: isStepCount(10),
  prompt: task,
});
for await (const part of stream) {
  if (part.type === 'text-delta') process.stdout.write(part.text);
  if (part.type === 'tool-call') console.log(`→ ${part.toolName} ${JSON.stringify(part.input)}`);
  if (part.type === 'error') {
    console.error(part.error instanceof Error ? part.error.message : part.error);
    process.exitCode = 1;
  }
}
console.log();

/** Prints a mistake in the settings as one line. */
function orExit<T>(choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return process.exit(1);
  }
}
