import { runAgentLoop } from '@earendil-works/pi-agent-core';
import type { AgentMessage, AgentTool, StreamFn } from '@earendil-works/pi-agent-core';
import { createAssistantMessageEventStream } from '@earendil-works/pi-ai';
import type { AssistantMessage } from '@earendil-works/pi-ai';
import { Type } from 'typebox';

import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleName, toolCount } from '../dispatch/sample-tool.ts';
import { workOf, type LoopShape } from './loop-shape.ts';

const parameters = Type.Object({
  module: Type.String(),
  startLine: Type.Optional(Type.Integer()),
  endLine: Type.Optional(Type.Integer()),
  flags: Type.Array(Type.String()),
});

const model = {
  id: 'sample',
  name: 'sample',
  api: 'openai-completions',
  provider: 'openai',
  baseUrl: '',
  reasoning: false,
  input: ['text' as const],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1_000_000,
  maxTokens: 1_000,
} satisfies Parameters<typeof runAgentLoop>[2]['model'];

/** `runAgentLoop` against a model that answers at once, with a listener for every event. */
const makeWork: MakeWork = (options) => {
  const count = toolCount(options);
  const tools = Array.from({ length: count }, (_, index): AgentTool<typeof parameters> => ({
    name: sampleName(index),
    label: sampleName(index),
    description: `Sample ${index}.`,
    parameters,
    execute: async (_id, params) => ({
      content: [{ type: 'text', text: await sampleBody({ endLine: undefined, startLine: undefined, ...params }) }],
      details: undefined,
    }),
  }));
  const name = sampleName(Math.floor(count / 2));
  return workOf(options, async ({ turns, calls }: LoopShape) => {
    let requests = 0;
    let events = 0;
    const stream: StreamFn = () => {
      requests += 1;
      const answer = answerOf(requests, requests > turns ? 0 : calls, name);
      const written = createAssistantMessageEventStream();
      written.push({ type: 'start', partial: answer });
      for (const [contentIndex, part] of answer.content.entries()) {
        if (part.type === 'toolCall')
          written.push({ type: 'toolcall_end', contentIndex, toolCall: part, partial: answer });
        else written.push({ type: 'text_delta', contentIndex, delta: 'Done.', partial: answer });
      }
      written.push({ type: 'done', reason: answer.stopReason === 'stop' ? 'stop' : 'toolUse', message: answer });
      return written;
    };
    const prompt: AgentMessage = { role: 'user', content: 'Go.', timestamp: 0 };
    const messages = await runAgentLoop(
      [prompt],
      { messages: [], tools },
      { model, convertToLlm: (all) => all as never },
      () => void (events += 1),
      undefined,
      stream,
    );
    const answers = messages.filter((message) => {
      const part = message.role === 'toolResult' ? message.content[0] : undefined;
      return part?.type === 'text' && part.text === sampleAnswer;
    });
    if (answers.length !== turns * calls || requests !== turns + 1 || events === 0) throw new Error('wrong answer');
  });
};

function answerOf(request: number, calls: number, name: string): AssistantMessage {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: 'assistant',
    content:
      calls === 0
        ? [{ type: 'text', text: 'Done.' }]
        : Array.from({ length: calls }, (_, nth) => ({
            type: 'toolCall' as const,
            id: `call_${request}_${nth}`,
            name,
            // Processes a model's text as pi's providers do.
            arguments: JSON.parse(sampleArguments) as Record<string, never>,
          })),
    api: 'openai-completions',
    provider: 'openai',
    model: 'sample',
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: calls === 0 ? 'stop' : 'toolUse',
    timestamp: 0,
  };
}

export default makeWork;
