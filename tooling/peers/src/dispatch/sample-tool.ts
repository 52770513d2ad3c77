import { z } from 'zod';

/** The tool every contender calls: arguments of four kinds, a body that does next to nothing. */
export const sampleInput = z.object({
  module: z.string(),
  startLine: z.int().optional(),
  endLine: z.int().optional(),
  flags: z.array(z.string()),
});

/** What a model wrote for it. */
export const sampleArguments = '{"module":"src/index.ts","startLine":10,"endLine":20,"flags":["-n","--all"]}';

/** The same tool as one that names a file: where that lies is looked up before anything is allowed. */
export const fileInput = sampleInput.omit({ module: true }).extend({ path: z.string() });
export const fileArguments: string = sampleArguments.replace('module', 'path');

/** The body of the tool, the same for all. */
export async function sampleBody({ module, startLine }: z.infer<typeof sampleInput>): Promise<string> {
  return `${module}:${startLine ?? 1}`;
}

/** What the body answers; a contender that gives anything else is not measured. */
export const sampleAnswer = 'src/index.ts:10';

/** The name of the n-th of many tools; the one that is called is in the middle. */
export function sampleName(index: number): string {
  return `tool_${String(index).padStart(5, '0')}`;
}

/** How many tools a contender is asked to register. */
export function toolCount(options: Readonly<Record<string, unknown>>): number {
  return typeof options['tools'] === 'number' ? options['tools'] : 1;
}
