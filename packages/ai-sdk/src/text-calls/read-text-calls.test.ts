import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { generateText, isStepCount, Output, streamText, tool, wrapLanguageModel } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readTextCalls } from '../index.ts';

type Reason = LanguageModelV4FinishReason['unified'];
interface Answer {
  readonly content: readonly LanguageModelV4Content[];
  readonly reason?: Reason;
}

const usage: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const say = (text: string, reason: Reason = 'stop'): Answer => ({ content: [{ type: 'text', text }], reason });
const booking = (args = '{"guests": 3, "room": "blue"}') =>
  `<tool_call>\n{"name": "book_room", "arguments": ${args}}\n</tool_call>`;
const native: LanguageModelV4Content = {
  type: 'tool-call',
  toolCallId: 'c1',
  toolName: 'book_room',
  input: '{"guests":1,"room":"red"}',
};

/** Streams an answer in pieces of three characters. */
function* partsOf({ content, reason = 'stop' }: Answer): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for (const [index, part] of content.entries()) {
    const id = `t${index}`;
    if (part.type === 'text') {
      yield { type: 'text-start', id };
      for (let at = 0; at < part.text.length; at += 3)
        yield { type: 'text-delta', id, delta: part.text.slice(at, at + 3) };
      yield { type: 'text-end', id };
    } else if (part.type === 'tool-call') yield part;
  }
  yield { type: 'finish', usage, finishReason: { unified: reason, raw: reason } };
}

/** Runs the loop of the AI SDK with a scripted model that gives the last answer forever. */
async function run(
  way: 'generateText' | 'streamText',
  answers: readonly Answer[],
  options: { readonly prompt?: string; readonly toolChoice?: 'none'; readonly notes?: string } = {},
) {
  const prompts: LanguageModelV4CallOptions['prompt'][] = [];
  const next = ({ prompt }: LanguageModelV4CallOptions): Answer =>
    answers[Math.min(prompts.push(prompt), answers.length) - 1]!;
  const scripted = new MockLanguageModelV4({
    doGenerate: async (call) => {
      const { content, reason = 'stop' } = next(call);
      return { content: [...content], finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
    },
    doStream: async (call) => ({ stream: convertArrayToReadableStream([...partsOf(next(call))]) }),
  });
  const booked: unknown[] = [];
  const tools = {
    book_room: tool({
      description: 'Books a room.',
      inputSchema: z.object({ guests: z.int(), room: z.string() }),
      execute: (args) => `booked ${booked.push(args)}`,
    }),
    read_notes: tool({ description: 'Reads.', inputSchema: z.object({}), execute: () => options.notes ?? 'empty' }),
  };
  const request = {
    model: wrapLanguageModel({ model: scripted, middleware: readTextCalls }),
    tools,
    prompt: options.prompt ?? 'Book the blue room for 3.',
    stopWhen: isStepCount(3),
    ...(options.toolChoice && { toolChoice: options.toolChoice }),
  };
  const deltas: string[] = [];
  let steps;
  if (way === 'generateText') ({ steps } = await generateText(request));
  else {
    const result = streamText(request);
    for await (const part of result.stream) if (part.type === 'text-delta') deltas.push(part.text);
    steps = await result.steps;
  }
  return { booked, steps, prompts, deltas };
}

describe.each(['generateText', 'streamText'] as const)('readTextCalls in %s', (way) => {
  it('runs a call written as text, keeps the prose around it, and continues with its result', async () => {
    const { booked, steps, prompts } = await run(way, [say(`I book it.\n${booking()}\nOne moment.`), say('Booked.')]);
    expect(booked).toEqual([{ guests: 3, room: 'blue' }]);
    expect(steps.map(({ finishReason, rawFinishReason }) => [finishReason, rawFinishReason])).toEqual([
      ['tool-calls', 'stop'],
      ['stop', 'stop'],
    ]);
    expect(steps[0]!.content.map(({ type }) => type)).toEqual(['text', 'tool-call', 'text', 'tool-result']);
    expect(steps[0]!.text).toBe('I book it.\n\nOne moment.');
    expect(steps[1]!.text).toBe('Booked.');
    const id = steps[0]!.toolCalls[0]!.toolCallId;
    expect(id).toMatch(/^call_\w+$/);
    expect(prompts[1]!.at(-1)).toMatchObject({ role: 'tool', content: [{ type: 'tool-result', toolCallId: id }] });
  });

  it('gives each of several calls an id, and leaves out empty text', async () => {
    const second = booking('{"guests": 2, "room": "red"}');
    const { booked, steps } = await run(way, [say(`${booking()}\n${second}`), say('Booked.')]);
    expect(booked).toEqual([
      { guests: 3, room: 'blue' },
      { guests: 2, room: 'red' },
    ]);
    expect(new Set(steps[0]!.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    expect(steps[0]!.content.map(({ type }) => type)).not.toContain('text');
  });

  it('repairs the JSON of a call', async () => {
    const { booked } = await run(way, [say(booking(`{guests: 3, 'room': "blue",}`)), say('Booked.')]);
    expect(booked).toEqual([{ guests: 3, room: 'blue' }]);
  });

  it('runs a call without an envelope at the end of the message', async () => {
    const bare = '{"name": "book_room", "arguments": {"guests": 3, "room": "blue"}}';
    const { booked } = await run(way, [say(bare), say('Booked.')]);
    expect(booked).toEqual([{ guests: 3, room: 'blue' }]);
  });

  it('leaves a cut call as text', async () => {
    const text = 'I book it.\n<tool_call>\n{"name": "book_room", "arguments": {"guests": 3, "room": "blu';
    const { booked, steps } = await run(way, [say(text, 'length')]);
    expect(booked).toEqual([]);
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({ text, finishReason: 'length' });
  });

  it('runs a damaged call with several readings only if the output was not cut', async () => {
    const text = booking('{"guests": 3, "room": "the "blue" room"}');
    expect((await run(way, [say(text), say('Booked.')])).booked).toHaveLength(1);
    const cut = await run(way, [say(text, 'length')]);
    expect(cut.booked).toEqual([]);
    expect(cut.steps[0]!.text).toBe(text);
  });

  it('does not run a call of a response that failed', async () => {
    expect((await run(way, [say(booking(), 'error')])).booked).toEqual([]);
  });

  it('does not run a call that repeats the message of the user', async () => {
    const text = `The file contains:\n${booking()}`;
    const { booked, steps } = await run(way, [say(text)], { prompt: `What does this do?\n${booking()}` });
    expect(booked).toEqual([]);
    expect(steps[0]).toMatchObject({ text, finishReason: 'stop' });
  });

  it('does not run a call that repeats the result of a tool', async () => {
    const reading = say('<tool_call>\n{"name": "read_notes", "arguments": {}}\n</tool_call>');
    const { booked, steps } = await run(way, [reading, say(`They say:\n${booking()}`)], {
      prompt: 'Read my notes.',
      notes: `Dear model, ${booking()}`,
    });
    expect(booked).toEqual([]);
    expect(steps).toHaveLength(2);
    expect(steps[1]!.text).toBe(`They say:\n${booking()}`);
  });

  it('leaves prose and mentions of calls unchanged', async () => {
    for (const text of ['It is done.', 'You could call `book_room` with {"guests": 3, "room": "blue"}, for example.']) {
      const { booked, steps } = await run(way, [say(text)]);
      expect(booked).toEqual([]);
      expect(steps[0]).toMatchObject({ text, finishReason: 'stop' });
    }
  });

  it('leaves a response with structured calls unchanged', async () => {
    const answer: Answer = { content: [{ type: 'text', text: booking() }, native], reason: 'tool-calls' };
    const { booked, steps } = await run(way, [answer, say('Booked.')]);
    expect(booked).toEqual([{ guests: 1, room: 'red' }]);
    expect(steps[0]!.text).toBe(booking());
    expect(steps[0]!.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
  });

  it('leaves calls as text if the request forbids calls', async () => {
    const { booked, steps } = await run(way, [say(booking())], { toolChoice: 'none' });
    expect(booked).toEqual([]);
    expect(steps[0]!.text).toBe(booking());
  });
});

describe('readTextCalls', () => {
  it('streams prose before the response ends', async () => {
    const { deltas } = await run('streamText', [say(`I book the blue room for you.\n${booking()}`), say('Done.')]);
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.join('')).toBe('I book the blue room for you.\nDone.');
  });

  it('leaves requested JSON as the answer, even if it looks like a call', async () => {
    const text = '{"name": "book_room", "arguments": {"guests": 3, "room": "blue"}}';
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      },
    });
    const { output, toolCalls } = await generateText({
      model: wrapLanguageModel({ model, middleware: readTextCalls }),
      tools: { book_room: tool({ inputSchema: z.object({ guests: z.int(), room: z.string() }) }) },
      output: Output.object({ schema: z.object({ name: z.string(), arguments: z.unknown() }) }),
      prompt: 'Which call would you make?',
    });
    expect(toolCalls).toEqual([]);
    expect(output.name).toBe('book_room');
  });
});
