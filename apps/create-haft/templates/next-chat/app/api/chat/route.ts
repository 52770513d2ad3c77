import { repairToolCall } from '@haft/ai-sdk';
import { convertToModelMessages, isStepCount, streamText, type UIMessage } from 'ai';
import { chooseModel } from '../../../lib/choose-model.ts';
import { createTools } from '../../../lib/create-tools.ts';

/** Answers a message of the page with a stream. */
export async function POST(request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { readonly messages: UIMessage[] };
  const tools = createTools();
  const result = streamText({
    model: chooseModel(process.env).model,
    tools,
    // Without this, the AI SDK fails a call with broken JSON before a tool sees it.
    repairToolCall,
    stopWhen: isStepCount(10),
    messages: await convertToModelMessages(messages, { tools }),
    abortSignal: request.signal,
  });
  return result.toUIMessageStreamResponse({
    // The page shows this text. The whole error is for you.
    onError: (error) => {
      console.error(error);
      return 'The model could not answer. The terminal of the server says why.';
    },
  });
}
