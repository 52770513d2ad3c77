import { decodeArgs, type Message, type ModelEvent, type ModelTool } from '@haft/core';
import { dialects, toDialect, type Dialect, type DialectName, type DialectSchema, type JsonSchema } from '@haft/schema';

/** The tools of one request as its vendor takes them, and calls between the two forms. */
export interface LoweredTools {
  /** What is sent for a tool. */
  readonly schemaOf: (tool: ModelTool) => JsonSchema;
  /** Whether the vendor is to hold the model to it. */
  readonly isStrict: boolean;
  /** A conversation with its earlier calls in the form the model made them. */
  lowerCalls(messages: readonly Message[]): readonly Message[];
  /** A call in the form the tool takes. */
  raiseCall(event: ModelEvent): ModelEvent;
}

/** Lowers the tools of a request to a dialect; tools that were lowered before are only raised. */
export function lowerTools(tools: readonly ModelTool[], dialect: DialectName | Dialect | undefined): LoweredTools {
  const ways = new Map<string, Omit<DialectSchema, 'lost'>>();
  for (const tool of tools) {
    const way = wayOf(tool, dialect);
    if (way !== undefined) ways.set(tool.name, way);
  }
  return {
    isStrict: (typeof dialect === 'string' ? dialects[dialect] : dialect)?.isStrict === true,
    schemaOf: ({ name, inputSchema }) => ways.get(name)?.schema ?? inputSchema,
    lowerCalls: (messages) => (ways.size === 0 ? messages : messages.map((message) => lowerMessage(message, ways))),
    raiseCall(event) {
      const way = event.type === 'tool-call' ? ways.get(event.name) : undefined;
      return event.type === 'tool-call' && way !== undefined
        ? { ...event, arguments: raiseText(event.arguments, way) }
        : event;
    },
  };
}

function wayOf(
  { inputSchema, raise, lower }: ModelTool,
  dialect: DialectName | Dialect | undefined,
): Omit<DialectSchema, 'lost'> | undefined {
  if (raise !== undefined && lower !== undefined)
    return { schema: inputSchema as DialectSchema['schema'], raise, lower };
  return dialect === undefined ? undefined : toDialect(inputSchema, dialect);
}

function lowerMessage(message: Message, ways: ReadonlyMap<string, Omit<DialectSchema, 'lost'>>): Message {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map((call) => {
    const way = ways.get(call.name);
    return way === undefined || typeof call.arguments === 'string'
      ? call
      : { ...call, arguments: way.lower(call.arguments) };
  });
  return { ...message, toolCalls };
}

/** Arguments that are cut or damaged stay as they are: reading them is the loop's business. */
function raiseText(text: string, { schema, raise }: Omit<DialectSchema, 'lost'>): string {
  const decoded = decodeArgs(schema, { arguments: text });
  if (!decoded.ok || !decoded.complete || decoded.risk !== 'none') return text;
  const raised = raise(decoded.value);
  return raised === decoded.value ? text : JSON.stringify(raised);
}
