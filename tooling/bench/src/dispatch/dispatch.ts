import type { Benchmark, Contender, Measurement } from '@haft-tooling/measure';
import { cpuRow, measureSideBySide } from '@haft-tooling/measure';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { versionOf } from '@haft-tooling/peers/version-of';

const ai = `AI SDK ${versionOf('ai')}`;
const langchain = `LangChain core ${versionOf('@langchain/core')}`;
const mcpOne = `MCP SDK ${versionOf('@modelcontextprotocol/sdk')}`;
const mcpTwo = `MCP SDK ${versionOf('@modelcontextprotocol/client')}`;
const bare = 'no library: JSON.parse, zod, await';

const oneTool: readonly Contender[] = [
  { name: 'Haft', module: moduleOf('dispatch/haft') },
  { name: bare, module: moduleOf('dispatch/bare') },
  { name: 'Haft, an argument that names a file', module: moduleOf('dispatch/haft'), options: { file: true } },
  { name: `${ai}: parse, validate, execute`, module: moduleOf('dispatch/ai-sdk-tool') },
  { name: `${ai}: one more call in generateText`, module: moduleOf('dispatch/ai-sdk-generate') },
  { name: `${langchain}: DynamicStructuredTool.invoke`, module: moduleOf('dispatch/langchain') },
  { name: `${mcpOne}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-1') },
  { name: `${mcpTwo}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-2') },
];

const tools = 1_000;
const maxTools = 10_000;

const manyTools: readonly Contender[] = [
  { name: 'Haft', module: moduleOf('dispatch/haft'), options: { tools: maxTools } },
  { name: 'Haft with 1,000 tools', module: moduleOf('dispatch/haft'), options: { tools } },
  { name: 'Haft with 10 tools', module: moduleOf('dispatch/haft'), options: { tools: 10 } },
  { name: `${mcpOne}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-1'), options: { tools } },
  { name: `${mcpTwo}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-2'), options: { tools } },
];

const turns: readonly Contender[] = [
  { name: 'Haft', module: moduleOf('dispatch/haft'), options: { tools, turn: true } },
  {
    name: `${ai}: generateText, zod`,
    module: moduleOf('dispatch/ai-sdk-generate'),
    options: { tools, step: true, schemas: 'zod' },
  },
  {
    name: `${ai}: generateText, JSON Schema`,
    module: moduleOf('dispatch/ai-sdk-generate'),
    options: { tools, step: true, schemas: 'json' },
  },
];

const fewer = 200;

const loops: readonly Contender[] = [
  { name: 'Haft', module: moduleOf('dispatch/haft-loop'), options: { tools: fewer } },
  {
    name: `${ai}: generateText, zod`,
    module: moduleOf('dispatch/ai-sdk-generate'),
    options: { tools: fewer, loop: true, schemas: 'zod' },
  },
  {
    name: `${ai}: generateText, JSON Schema`,
    module: moduleOf('dispatch/ai-sdk-generate'),
    options: { tools: fewer, loop: true, schemas: 'json' },
  },
];

/** Measures one validated call, alone and among a thousand tools, beside other dispatchers. */
export const dispatchBenchmark: Benchmark = {
  summary: 'One validated tool call, from the text of its arguments to a result, among 10,000 tools, and in a loop.',
  async run(options) {
    const one = await measureSideBySide(oneTool, options);
    const many = await measureSideBySide(manyTools, options);
    const turn = await measureSideBySide(turns, options);
    const loop = await measureSideBySide(loops, options);
    const few = bestFor(many, 'Haft with 10 tools');
    const isFlat = ['Haft', 'Haft with 1,000 tools'].every((name) => bestFor(many, name) <= 1.2 * few);
    const others = one.filter(({ name }) => !name.startsWith('Haft') && name !== bare);
    return [
      cpuRow(
        'One validated call',
        one,
        '≤ 2.5 × what it takes without a library (goal 2 ×), and ahead of every peer',
        (haft) => haft <= 2.5 * bestFor(one, bare) && others.every(({ cpuBest }) => haft < cpuBest),
      ),
      cpuRow('One validated call among 10,000 tools', many, '≤ 1.2 × of 10 tools, as among 1,000', () => isFlat),
      cpuRow(
        'One turn with 1,000 tools: list them for the model, run its call',
        turn,
        '≤ 500 µs in the best round',
        (haft) => haft <= 500,
      ),
      cpuRow('One step of a loop with 200 tools', loop, '≤ 500 µs in the best round', (haft) => haft <= 500),
    ];
  },
};

function bestFor(measurements: readonly Measurement[], name: string): number {
  const found = measurements.find((measurement) => measurement.name === name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found.cpuBest;
}
