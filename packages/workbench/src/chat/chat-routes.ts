import type { ToolSource } from '@haft/core';
import type { ChatState } from '../contract/chat-data.ts';
import { refuse, respondJson } from '../http/respond.ts';
import { get, post, type Route } from '../http/route.ts';
import type { Chat } from './create-chat.ts';

const empty: ChatState = {
  isConnected: false,
  isRunning: false,
  models: [],
  model: '',
  canConnect: false,
  entries: [],
  tokens: 0,
  costUsd: 0,
};

/** Creates the routes of the page Chat. */
export function createChatRoutes(chat: Chat | undefined, tools: () => ToolSource): readonly Route[] {
  const acting = (act: (open: Chat) => Response | Promise<Response>): Response | Promise<Response> =>
    chat === undefined ? refuse(404, 'the program has no chat') : act(chat);
  return [
    get('chat', () => respondJson(chat?.state() ?? empty)),
    post('chat', (_, { text }) =>
      acting((open) => {
        if (typeof text !== 'string') return refuse(400, 'text: missing (expected a string)');
        const problem = open.send(text, tools());
        return problem === undefined ? respondJson({}) : refuse(409, problem);
      }),
    ),
    post('chat/model', (_, { model }) =>
      acting((open) =>
        typeof model === 'string' && open.choose(model) ? respondJson({}) : refuse(404, 'model: unknown model'),
      ),
    ),
    post('chat/connect', (_, { baseUrl, model, apiKey }) =>
      acting(async (open) => {
        if (typeof baseUrl !== 'string' || !/^https?:\/\/\S+$/.test(baseUrl))
          return refuse(400, 'the URL is missing or not valid (expected one such as http://localhost:11434/v1)');
        if (typeof model !== 'string' || model === '') return refuse(400, 'the name of the model is missing');
        try {
          const key = typeof apiKey === 'string' && apiKey.trim() !== '' ? { apiKey: apiKey.trim() } : {};
          const remark = await open.connect({ baseUrl, model, ...key });
          return respondJson(remark === undefined ? {} : { remark });
        } catch (cause) {
          return refuse(409, cause instanceof Error ? cause.message : String(cause));
        }
      }),
    ),
    post('chat/stop', () =>
      acting((open) => {
        open.stop();
        return respondJson({});
      }),
    ),
    post('chat/clear', () =>
      acting((open) => {
        open.clear();
        return respondJson({});
      }),
    ),
  ];
}
