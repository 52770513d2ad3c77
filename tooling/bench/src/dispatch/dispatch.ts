import type { Bar, Benchmark, Contender } from '@haft-tooling/measure';
import { bar, bestCpuFor, cpuRow, measureSideBySide } from '@haft-tooling/measure';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { versionOf } from '@haft-tooling/peers/version-of';

const ai = `AI SDK ${versionOf('ai')}`;
const langchain = `LangChain core ${versionOf('@langchain/core')}`;
const mcpOne = `MCP SDK ${versionOf('@modelcontextprotocol/sdk')}`;
const mcpTwo = `MCP SDK ${versionOf('@modelcontextprotocol/client')}`;
const bare = 'no library: JSON.parse, zod, await';

const haft = moduleOf('dispatch/haft');
const generate = moduleOf('dispatch/ai-sdk-generate');
const oneTool: readonly Contender[] = [
  { name: 'Haft', module: haft },
  { name: bare, module: moduleOf('dispatch/bare') },
  { name: 'Haft, an argument that names a file', module: haft, options: { file: true } },
  { name: `${ai}: parse, validate, execute`, module: moduleOf('dispatch/ai-sdk-tool') },
  { name: `${ai}: one more call in generateText`, module: generate },
  { name: `${langchain}: DynamicStructuredTool.invoke`, module: moduleOf('dispatch/langchain') },
  { name: `${mcpOne}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-1') },
  { name: `${mcpTwo}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-2') },
];

const tools = 1_000;
const maxTools = 10_000;
const fewer = 200;

const manyTools: readonly Contender[] = [
  { name: 'Haft', module: haft, options: { tools: maxTools } },
  { name: 'Haft with 1,000 tools', module: haft, options: { tools } },
  { name: 'Haft with 10 tools', module: haft, options: { tools: 10 } },
  { name: `${mcpOne}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-1'), options: { tools } },
  { name: `${mcpTwo}: client.callTool in memory`, module: moduleOf('dispatch/mcp-sdk-2'), options: { tools } },
];

/** Haft and the AI SDK, which takes schemas of two kinds. */
const besideGenerate = (
  own: Omit<Contender, 'name'>,
  given: Readonly<Record<string, unknown>>,
): readonly Contender[] => [
  { name: 'Haft', ...own },
  { name: `${ai}: generateText, zod`, module: generate, options: { ...given, schemas: 'zod' } },
  { name: `${ai}: generateText, JSON Schema`, module: generate, options: { ...given, schemas: 'json' } },
];
const turns = besideGenerate({ module: haft, options: { tools, turn: true } }, { tools, step: true });
const haftLoop = { module: moduleOf('dispatch/haft-loop'), options: { tools: fewer } };
const loops = besideGenerate(haftLoop, { tools: fewer, loop: true });

/** Measures one validated call, alone and among a thousand tools, beside other dispatchers. */
export const dispatchBenchmark: Benchmark = {
  summary: 'One validated tool call, from the text of its arguments to a result, among 10,000 tools, and in a loop.',
  async run(options) {
    const one = await measureSideBySide(oneTool, options);
    const many = await measureSideBySide(manyTools, options);
    const turn = await measureSideBySide(turns, options);
    const loop = await measureSideBySide(loops, options);
    const few = bestCpuFor(many, 'Haft with 10 tools');
    const isFlat = ['Haft', 'Haft with 1,000 tools'].every((name) => bestCpuFor(many, name) <= 1.2 * few);
    const others = one.filter(({ name }) => !name.startsWith('Haft') && name !== bare);
    const halfMillisecond: Bar = { text: '≤ 500 µs in the best round', holds: (best) => best <= 500 };
    return [
      cpuRow('One validated call', one, {
        text: '≤ 2.5 × what it takes without a library, and ahead of every peer',
        holds: (best) => best <= 2.5 * bestCpuFor(one, bare) && others.every(({ cpuBest }) => best < cpuBest),
      }),
      cpuRow(
        'One validated call among 10,000 tools',
        many,
        bar('≤ 1.2 × the time among 10 tools, and the same for 1,000 tools', isFlat),
      ),
      cpuRow('One turn with 1,000 tools: list them for the model, run its call', turn, halfMillisecond),
      cpuRow('One step of a loop with 200 tools', loop, halfMillisecond),
    ];
  },
};
