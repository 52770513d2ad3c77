/** A sample text. */
export interface Sample {
  /** Its name in links. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** The schema of the value, as text. */
  readonly schema?: string;
  readonly stopped?: 'stop' | 'length';
}

/** The tools of the samples. */
export const sampleTools: string = JSON.stringify(
  [
    tool('read', { path: { type: 'string' }, limit: { type: 'integer' } }, ['path']),
    tool('write', { path: { type: 'string' }, content: { type: 'string' } }, ['path', 'content']),
    tool('bash', { command: { type: 'string' } }, ['command']),
    tool(
      'search',
      {
        query: { type: 'string' },
        limit: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      ['query'],
    ),
  ],
  null,
  2,
);

/** Samples. The page begins with the first one. */
export const samples: readonly Sample[] = [
  {
    id: 'tags',
    name: '<tool_call>: two calls, one broken',
    stopped: 'stop',
    text: `I'll look at the file and search for what is left.

<tool_call>
{"name": "read", "arguments": {"path": "src/index.ts", "limit": 40,}}
</tool_call>
<tool_call>
{name: "bash", "arguments": {"command": "grep -rn "FIXME" src | head"}}
</tool_call>`,
  },
  {
    id: 'broken',
    name: 'Broken JSON with prose before it',
    text: `Sure! Here is the configuration you asked for:

{
  // the service
  name: 'billing-api',
  "replicas": 03,
  "ports": [8080, 8443,],
  "labels": {"team": "payments" "tier": “gold”},
  "debug": False,
}`,
  },
  {
    id: 'cut',
    name: 'Cut by the token limit',
    stopped: 'length',
    text: `{
  "title": "Release 2.4",
  "steps": [
    {"run": "build", "minutes": 4},
    {"run": "test", "minutes": 11},
    {"run": "publish to the sta`,
  },
  {
    id: 'quotes',
    name: 'Unescaped quotes in code',
    text: `{"path": "src/greet.js", "content": "export function greet(name) {
  console.log("Hello, " + name + "!");
  return { ok: true, said: "Hello" };
}
"}`,
  },
  {
    id: 'schema',
    name: 'With a schema for the value',
    text: `{
  "order": "{\\"id\\": 17, \\"lines\\": [{\\"sku\\": \\"A-1\\", \\"count\\": 2}]}",
  "version": 1.10,
  "file": C:\\new\\table.txt,
}`,
    schema: JSON.stringify(
      {
        type: 'object',
        properties: {
          order: {
            type: 'object',
            properties: { id: { type: 'integer' }, lines: { type: 'array' } },
          },
          version: { type: 'string' },
          file: { type: 'string' },
        },
        required: ['order'],
      },
      null,
      2,
    ),
  },
  {
    id: 'python',
    name: 'Calls in Python',
    stopped: 'stop',
    text: `[search(query="follow rule", limit=5, tags=['json', "repair"]), read(path='docs/design.md')]`,
  },
  {
    id: 'fence',
    name: 'A fence with prose after it',
    stopped: 'stop',
    text: `\`\`\`json
{"name": "write", "arguments": {"path": "notes/today.md", "content": "# Today\\n\\n- [x] ship it\\n"}}
\`\`\`

That writes the note; tell me if you want another title.`,
  },
  {
    id: 'encoded',
    name: 'Double-encoded arguments',
    stopped: 'stop',
    text: `{"name": "write", "arguments": "{\\"path\\": \\"a.txt\\", \\"content\\": \\"He said \\\\\\"hi\\\\\\"\\"}"}`,
  },
  {
    id: 'refused',
    name: 'A call that was cut, and one of an unknown tool',
    stopped: 'length',
    text: `<tool_call>{"name": "launch", "arguments": {"target": "moon"}}</tool_call>
<tool_call>{"name": "write", "arguments": {"path": "letter.txt", "content": "Dear all,\\nthe first hal`,
  },
];

function tool(name: string, properties: object, required: readonly string[]): object {
  return { name, parameters: { type: 'object', properties, required } };
}
