import { extractToolCalls } from '@haft/repair';

import { versionOf } from '../version-of.ts';
import { importPackage } from '../import-package.ts';
import type { Call, TextCase } from '@haft-tooling/corpora/tool-call-texts';

/** The calls that an extractor found. */
export interface Found {
  readonly calls: readonly Call[];
  /** The text without the calls. */
  readonly left: string;
}

/** An extractor of calls from text. */
export interface Extractor {
  readonly name: string;
  load(): Promise<(one: TextCase) => Found | Promise<Found>>;
}

export const haft: Extractor = {
  name: 'Haft',
  load: async () => (one) => {
    const { tools, stopped } = one;
    const { calls, text } = extractToolCalls(one.text, { tools, ...(stopped === undefined ? {} : { stopped }) });
    return { calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })), left: text };
  },
};

interface TextPart {
  readonly type: string;
  readonly text?: string;
  readonly toolName?: string;
  readonly input?: string;
}

/** The parts of a language model that the middleware needs to process a finished text. */
interface Middleware {
  transformParams(call: { type: 'generate'; params: object; model: object }): Promise<object>;
  wrapGenerate(call: {
    doGenerate(): Promise<object>;
    doStream(): Promise<object>;
    params: object;
    model: object;
  }): Promise<{ readonly content: readonly TextPart[] }>;
}

const parser = `@ai-sdk-tool/parser ${versionOf('@ai-sdk-tool/parser')}`;

/** A middleware reads one preselected protocol, so each protocol is a separate contender. */
const fromMiddleware = (protocol: string): Extractor => ({
  name: `${parser}: ${protocol}`,
  async load() {
    const exported = await importPackage<Readonly<Record<string, Middleware>>>('@ai-sdk-tool/parser');
    const middleware = exported[`${protocol}ToolMiddleware`];
    if (middleware === undefined) throw new Error(`${parser} has no middleware for ${protocol}`);
    return async ({ text, tools }) => {
      const functions = tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters,
      }));
      const asked = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }], tools: functions };
      const params = await middleware.transformParams({ type: 'generate', params: asked, model: {} });
      const answer = { content: [{ type: 'text', text }], finishReason: 'stop', usage: {}, warnings: [] };
      const never = (): Promise<object> => Promise.reject(new Error('streaming is not supported'));
      const { content } = await middleware.wrapGenerate({
        doGenerate: () => Promise.resolve(answer),
        doStream: never,
        params,
        model: {},
      });
      return {
        calls: content
          .filter(({ type }) => type === 'tool-call')
          .map(({ toolName, input }) => ({
            name: toolName ?? '',
            arguments: JSON.parse(input ?? '{}') as Call['arguments'],
          })),
        left: content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join(''),
      };
    };
  },
});

export const peers: readonly Extractor[] = ['hermes', 'qwen3Coder', 'morphXml', 'yamlXml'].map(fromMiddleware);

export const extractors: readonly Extractor[] = [haft, ...peers];
