import { z } from 'zod';

/** The tool that every contender calls: arguments of four types, and a trivial body. */
export const sampleInput = z.object({
  module: z.string(),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  flags: z.array(z.string()),
});

/** The arguments that a model wrote. */
export const sampleArguments = '{"module":"src/index.ts","startLine":10,"endLine":20,"flags":["-n","--all"]}';

/** The same tool with a file argument, whose path is resolved before permission is given. */
export const fileInput = sampleInput.omit({ module: true }).extend({ path: z.string() });
export const fileArguments: string = sampleArguments.replace('module', 'path');

/** The body of the tool, the same for all. */
export async function sampleBody({ module, startLine }: z.infer<typeof sampleInput>): Promise<string> {
  return `${module}:${startLine ?? 1}`;
}

/** The answer of the body. A contender that returns anything else is not measured. */
export const sampleAnswer = 'src/index.ts:10';

/** The name of the n-th of many tools. The called tool is in the middle. */
export function sampleName(index: number): string {
  return `tool_${String(index).padStart(5, '0')}`;
}

/** Number of tools that a contender registers. */
export function toolCount(options: Readonly<Record<string, unknown>>): number {
  return typeof options['tools'] === 'number' ? options['tools'] : 1;
}
