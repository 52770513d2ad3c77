import { parseArgs, type Message, type ModelEvent, type ModelTool } from '@haft/core';
import { dialects, toDialect, type Dialect, type DialectName, type DialectSchema, type JsonSchema } from '@haft/schema';

/** The tools of one request in the vendor's dialect. */
export interface LoweredTools {
  /** Returns the schema to send for a tool. */
  readonly schemaOf: (tool: ModelTool) => JsonSchema;
  /** Whether to ask the vendor for strict schema adherence. */
  readonly isStrict: boolean;
  /** Returns a conversation with earlier calls in the dialect's form. */
  lowerCalls(messages: readonly Message[]): readonly Message[];
  /** Returns a call event with arguments in the tool's form. */
  raiseCall(event: ModelEvent): ModelEvent;
}

/** Lowers the tools of a request to a dialect. Tools that are already lowered are only raised. */
export function lowerTools(tools: readonly ModelTool[], dialect: DialectName | Dialect | undefined): LoweredTools {
  const schemas = new Map<string, Omit<DialectSchema, 'lost'>>();
  for (const tool of tools) {
    const schema = dialectSchemaOf(tool, dialect);
    if (schema !== undefined) schemas.set(tool.name, schema);
  }
  return {
    isStrict: (typeof dialect === 'string' ? dialects[dialect] : dialect)?.isStrict === true,
    schemaOf: ({ name, inputSchema }) => schemas.get(name)?.schema ?? inputSchema,
    lowerCalls: (messages) =>
      schemas.size === 0 ? messages : messages.map((message) => lowerMessage(message, schemas)),
    raiseCall(event) {
      const schema = event.type === 'tool-call' ? schemas.get(event.name) : undefined;
      return event.type === 'tool-call' && schema !== undefined
        ? { ...event, arguments: raiseText(event.arguments, schema) }
        : event;
    },
  };
}

function dialectSchemaOf(
  { inputSchema, raise, lower }: ModelTool,
  dialect: DialectName | Dialect | undefined,
): Omit<DialectSchema, 'lost'> | undefined {
  if (raise !== undefined && lower !== undefined)
    return { schema: inputSchema as DialectSchema['schema'], raise, lower };
  return dialect === undefined ? undefined : toDialect(inputSchema, dialect);
}

function lowerMessage(message: Message, schemas: ReadonlyMap<string, Omit<DialectSchema, 'lost'>>): Message {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map((call) => {
    const schema = schemas.get(call.name);
    return schema === undefined || typeof call.arguments === 'string'
      ? call
      : { ...call, arguments: schema.lower(call.arguments) };
  });
  return { ...message, toolCalls };
}

/** Raises complete, undamaged arguments. The loop handles all others. */
function raiseText(text: string, { schema, raise }: Omit<DialectSchema, 'lost'>): string {
  const decoded = parseArgs(schema, { arguments: text });
  if (!decoded.ok || !decoded.complete || decoded.risk !== 'none') return text;
  const raised = raise(decoded.value);
  return raised === decoded.value ? text : JSON.stringify(raised);
}
