import { setTimeout as delay } from 'node:timers/promises';
import {
  defineTool,
  failure,
  success,
  toolError,
  type AnyTool,
  type ContentPart,
  type Resource,
  type Session,
  type ToolContext,
  type ToolRegistry,
} from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { SessionPeer } from '@haft/core/workspace';
import { createLibrary, type Library } from '@haft/mcp';
import { createTaskTools } from './task-fixtures.ts';

/** A red dot. */
const picture = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
    'base64',
  ),
);
/** An empty sound. */
const sound = new Uint8Array(Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=', 'base64'));

type Body = (args: Readonly<Record<string, unknown>>, context: ToolContext) => unknown;

const text = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});
const form = (properties: object, required: readonly string[] = Object.keys(properties)): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
});

function tool(
  name: string,
  execute: Body,
  input: object = { type: 'object', properties: {} },
  requires: string[] = [],
): AnyTool {
  return eraseTool(
    defineTool({
      name,
      description: `Fixture of the suite: ${name}.`,
      input: input as { type: 'object' },
      traits: { readOnly: true, openWorld: false, requires },
      execute: (args, context) => execute(args, context) as string,
    }),
  );
}

const page = (uri: string, type: string, body: string | Uint8Array): Resource => ({
  uri,
  name: uri.replace('test://', ''),
  type,
  read: () => body,
});

/** Returns the client, whose features the tool declares as required. */
function peerOf({ session }: { readonly session: Session }): Required<SessionPeer> {
  if (!session.peer) throw new Error('the client cannot be asked');
  return session.peer as Required<SessionPeer>;
}

async function asks(context: ToolContext, schema: Record<string, unknown>, message: string): Promise<string> {
  const answer = await peerOf(context).elicit(message, schema);
  const content = answer.action === 'accept' ? answer.content : {};
  return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(content)}`;
}

const name = form({ name: { type: 'string' } });
const options = ['option1', 'option2', 'option3'];
const titled = ['value1', 'value2', 'value3'].map((value, index) => ({ const: value, title: `Choice ${index + 1}` }));

/** Keywords that only newer dialects of JSON Schema have. */
const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  else: { required: ['email'] },
  // Written as JSON text, because an object with `then` would look like a promise.
  ...(JSON.parse('{"then": {"required": ["phone"]}}') as object),
  additionalProperties: false,
};

/** The tools that the suite expects of a server. Some of them change `registry`, which serves them. */
export function createServedTools(registry: ToolRegistry, library: Library): readonly AnyTool[] {
  let changes = 0;
  return [
    tool('test_simple_text', () => 'This is a simple text response for testing.'),
    tool('test_image_content', (_args, { callId }) =>
      success(callId, [{ type: 'image', data: picture, mediaType: 'image/png' }]),
    ),
    tool('test_audio_content', (_args, { callId }) =>
      success(callId, [{ type: 'audio', data: sound, mediaType: 'audio/wav' }]),
    ),
    tool('test_embedded_resource', () =>
      page('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ),
    tool('test_multiple_content_types', (_args, { callId }) => {
      const parts: readonly ContentPart[] = [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: picture, mediaType: 'image/png' },
        {
          type: 'resource',
          resource: page('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
        },
      ];
      return success(callId, parts);
    }),
    tool('test_tool_with_logging', async (_args, { logger }) => {
      logger.info('Tool execution started');
      await delay(50);
      logger.info('Tool processing data');
      await delay(50);
      logger.info('Tool execution completed');
      return 'logged';
    }),
    tool('test_logging_tool', (_args, { logger }) => {
      logger.info('a line of the log');
      return 'logged';
    }),
    tool('test_error_handling', (_args, { callId }) =>
      failure(
        callId,
        toolError('EXECUTION_ERROR', 'This tool intentionally returns an error for testing', { fault: 'world' }),
      ),
    ),
    tool('test_tool_with_progress', async (_args, context) => {
      for (const done of [0, 50, 100]) {
        context.progress({ done, total: 100 });
        await delay(50);
      }
      return 'done';
    }),
    tool(
      'test_sampling',
      async ({ prompt }, context) => {
        const { text: said } = await peerOf(context).sample({ prompt: String(prompt), maxOutputTokens: 100 });
        return `LLM response: ${said}`;
      },
      text('prompt'),
    ),
    tool(
      'test_elicitation',
      async ({ message }, context) => {
        const schema = form({
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        });
        const answer = await peerOf(context).elicit(String(message), schema);
        return `User response: ${JSON.stringify(answer)}`;
      },
      text('message'),
    ),
    tool('test_streaming_elicitation', (_args, context) => asks(context, name, 'What is your name?')),
    tool('test_elicitation_sep1034_defaults', (_args, context) =>
      asks(
        context,
        form(
          {
            name: { type: 'string', default: 'John Doe' },
            age: { type: 'integer', default: 30 },
            score: { type: 'number', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', default: true },
          },
          [],
        ),
        'Please review',
      ),
    ),
    tool('test_elicitation_sep1330_enums', (_args, context) =>
      asks(
        context,
        form(
          {
            untitledSingle: { type: 'string', enum: options },
            titledSingle: { type: 'string', oneOf: titled },
            legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
            untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
            titledMulti: { type: 'array', items: { anyOf: titled } },
          },
          [],
        ),
        'Please choose',
      ),
    ),
    tool(
      'test_missing_capability',
      async (_args, context) => (await peerOf(context).sample({ prompt: 'hello', maxOutputTokens: 10 })).text,
      undefined,
      ['sampling'],
    ),
    tool('json_schema_2020_12_tool', () => 'fits', schema2020),
    tool('test_custom_headers', ({ region }) => `sent to ${String(region)}`, {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        priority: { type: 'integer', 'x-mcp-header': 'Priority' },
        verbose: { type: 'boolean', 'x-mcp-header': 'Verbose' },
      },
    }),
    tool('test_trigger_tool_change', () => {
      changes += 1;
      registry.register(tool(`came_${changes}`, () => 'here'));
      return 'changed';
    }),
    tool('test_trigger_prompt_change', () => {
      changes += 1;
      library.addPrompt({ name: `came_${changes}`, description: 'Came late.', variables: [], prepare: () => [] });
      return 'changed';
    }),
    tool('test_input_required_result_elicitation', async (_args, context) => {
      const answer = await peerOf(context).elicit('What is your name?', name, 'user_name');
      return answer.action === 'accept' ? `Hello, ${String(answer.content['name'])}!` : 'Hello, you!';
    }),
    tool('test_input_required_result_sampling', async (_args, context) => {
      const request = { prompt: 'What is the capital of France?', maxOutputTokens: 100 };
      return (await peerOf(context).sample(request, 'capital_question')).text;
    }),
    tool('test_input_required_result_list_roots', async (_args, context) =>
      JSON.stringify(await peerOf(context).roots('client_roots')),
    ),
    tool('test_input_required_result_request_state', async (_args, context) => {
      await peerOf(context).elicit('Please confirm', form({ ok: { type: 'boolean' } }), 'confirm');
      return 'state-ok';
    }),
    tool('test_input_required_result_tampered_state', async (_args, context) => {
      await peerOf(context).elicit('Please confirm', form({ ok: { type: 'boolean' } }), 'confirm');
      return 'state-ok';
    }),
    tool('test_input_required_result_multiple_inputs', async (_args, context) => {
      const peer = peerOf(context);
      const answers = await Promise.all([
        peer.elicit('What is your name?', name, 'user_name'),
        peer.sample({ prompt: 'Generate a greeting', maxOutputTokens: 50 }, 'greeting'),
        peer.roots('client_roots'),
      ]);
      return JSON.stringify(answers);
    }),
    tool('test_input_required_result_multi_round', async (_args, context) => {
      const peer = peerOf(context);
      const first = await peer.elicit('Step 1: What is your name?', name, 'step1');
      const color = form({ color: { type: 'string' } });
      const second = await peer.elicit('Step 2: What is your favorite color?', color, 'step2');
      return JSON.stringify([first, second]);
    }),
    tool('test_input_required_result_capabilities', async (_args, { session: { peer } }) => {
      const said = await Promise.all([
        peer?.sample?.({ prompt: 'hello', maxOutputTokens: 10 }, 'sampled'),
        peer?.elicit?.('What is your name?', name, 'user_name'),
        peer?.roots?.('client_roots'),
      ]);
      return JSON.stringify(said);
    }),
    ...createTaskTools(),
  ];
}

/** The resources and prompts that the suite expects of a server. */
export function createServedLibrary(): Library {
  return createLibrary({
    resources: [
      page('test://static-text', 'text/plain', 'This is the content of the static text resource.'),
      page('test://static-binary', 'image/png', picture),
      page('test://watched-resource', 'text/plain', 'watched'),
    ],
    templates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'data of an id',
        type: 'application/json',
        read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
    prompts: [
      {
        name: 'test_simple_prompt',
        description: 'A prompt of the suite.',
        variables: [],
        prepare: () => [{ role: 'user', content: 'This is a simple prompt for testing.' }],
      },
      {
        name: 'test_prompt_with_arguments',
        description: 'A prompt of the suite.',
        variables: ['arg1', 'arg2'].map((variable) => ({ name: variable, required: true })),
        prepare: ({ arg1, arg2 }) => [
          { role: 'user', content: `Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'` },
        ],
      },
      {
        name: 'test_prompt_with_embedded_resource',
        description: 'A prompt of the suite.',
        variables: [{ name: 'resourceUri', required: true }],
        prepare: ({ resourceUri }) => [
          {
            role: 'user',
            content: [
              {
                type: 'resource',
                resource: page(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
              },
              { type: 'text', text: 'Please process the embedded resource above.' },
            ],
          },
        ],
      },
      {
        name: 'test_prompt_with_image',
        description: 'A prompt of the suite.',
        variables: [],
        prepare: () => [
          {
            role: 'user',
            content: [
              { type: 'image', data: picture, mediaType: 'image/png' },
              { type: 'text', text: 'Please analyze the image above.' },
            ],
          },
        ],
      },
      {
        name: 'test_input_required_result_prompt',
        description: 'A prompt of the suite.',
        variables: [],
        async prepare(_variables, _resources, session) {
          const schema = form({ context: { type: 'string' } });
          const answer = await peerOf({ session: session! }).elicit(
            'What context should the prompt use?',
            schema,
            'user_context',
          );
          return [{ role: 'user', content: JSON.stringify(answer) }];
        },
      },
    ],
    complete: ({ typed }) => ['paris', 'park', 'party'].filter((value) => value.startsWith(typed)),
  });
}
