import type { ToolSnapshot } from '@haft/core';
import { checkPermissionAnswer, type PermissionAnswer } from '@haft/permission';
import { previewChange } from '../approvals/preview-change.ts';
import type { ApprovalView, CallList, SourceView } from '../contract/page-data.ts';
import { findChangeOf } from '../changes/describe-change.ts';
import { createChangeRoutes } from '../changes/change-routes.ts';
import { refuse, respondJson } from '../http/respond.ts';
import { found, get, post, type Route, type RouteBody } from '../http/route.ts';
import { createJobRoutes } from '../jobs/job-routes.ts';
import { createChatRoutes } from '../chat/chat-routes.ts';
import { createRunRoutes } from '../runs/run-routes.ts';
import { createServerRoutes } from '../servers/server-routes.ts';
import { describeTool, listCallableTools, listTools } from '../views/describe-tool.ts';
import type { PageState } from './workbench-state.ts';
import type { OwnCalls } from '../calls/run-own-call.ts';

/** Creates the routes of a workbench. */
export function createRoutes(state: PageState, own: OwnCalls): readonly Route[] {
  const { approvals, calls } = state;
  const snapshot = (): ToolSnapshot => state.tools().snapshot();
  const sourceOf = async (name: string): Promise<{ readonly source?: SourceView }> => {
    const now = snapshot();
    const tool = now.get(name);
    const source = tool && (await state.sources.ofTool(tool, now.providerFor(name) ?? ''));
    return source === undefined ? {} : { source };
  };
  const changeOf = (call: Parameters<typeof findChangeOf>[1]): { readonly changeId?: string } => {
    const { journal } = state.journal();
    const changeId = journal && findChangeOf(journal, call);
    return changeId === undefined ? {} : { changeId };
  };
  return [
    get('tools', () => respondJson(listTools(snapshot()))),
    get('callable-tools', () => respondJson(listCallableTools(snapshot()))),
    get('tools/*', async (name) => {
      const details = describeTool(snapshot(), name);
      return found(details && { ...details, ...(await sourceOf(name)) }, `there is no tool ${JSON.stringify(name)}`);
    }),
    get('calls', () =>
      respondJson({ isLogged: calls !== undefined, calls: calls?.list(own.isRunning) ?? [] } satisfies CallList),
    ),
    get('calls/*', async (key) => {
      const details = calls?.get(key, own.isRunning);
      if (details === undefined) return refuse(404, 'this call is no longer in the log');
      return respondJson({ ...details, ...(await sourceOf(details.name)), ...changeOf(details) });
    }),
    get('approvals', () =>
      respondJson({ isConnected: approvals !== undefined, questions: approvals?.waiting() ?? [] }),
    ),
    get('approvals/*', async (id) => {
      const question = approvals?.waiting().find((one) => one.id === id);
      return respondJson((question && (await previewChange(question))) ?? {});
    }),
    post('call', async (_, { id, name, arguments: given, text }) => {
      if (typeof name !== 'string') return refuse(400, 'name: missing (expected the name of a tool)');
      const callId = typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
      const result = await own.run(name, typeof text === 'string' ? text : (given ?? {}), callId);
      return respondJson({ ...result, ...changeOf(result) });
    }),
    post('cancel/*', (callId) =>
      own.cancel(callId) ? respondJson({}) : refuse(409, 'the call has ended, or another program started it'),
    ),
    post('approvals/*', (id, body) => {
      const question = approvals?.waiting().find((one) => one.id === id);
      const answer = question && readAnswer(body, question);
      if (typeof answer === 'string') return refuse(400, answer);
      return answer && approvals?.answer(id, answer) === true
        ? respondJson({})
        : refuse(409, 'the question is not open any more: it was answered, or its call was cancelled');
    }),
    ...createServerRoutes(state.toolkit, state.servers, state.serverLog, () => state.notify('servers')),
    ...createChangeRoutes(state.journal, () => state.notify('changes')),
    ...createRunRoutes(state.runs),
    ...createJobRoutes(state.jobs, () => state.notify('jobs')),
    ...createChatRoutes(state.chat, state.tools),
  ];
}

/** Returns the answer, or what is wrong with it. */
function readAnswer(body: RouteBody, question: ApprovalView): PermissionAnswer | string {
  try {
    return checkPermissionAnswer(body, question);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
