import { compileSchema } from '@haft/schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as z from 'zod';

import type { MakeWork } from '@haft-tooling/measure';

/** Typical arguments of tools, with their schema in two forms. */
interface Sample {
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly zod: z.ZodType;
  readonly value: unknown;
}

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;

/** A small call, and one that edits a file in several places. */
const samples: Readonly<Record<string, Sample>> = {
  small: {
    jsonSchema: {
      type: 'object',
      properties: { path: text, startLine: whole, endLine: whole, flags: { type: 'array', items: text } },
      required: ['path', 'flags'],
    },
    zod: z.object({
      path: z.string(),
      startLine: z.int().optional(),
      endLine: z.int().optional(),
      flags: z.array(z.string()),
    }),
    value: { path: 'src/index.ts', startLine: 10, endLine: 20, flags: ['-n', '--all'] },
  },
  nested: {
    jsonSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        mode: { enum: ['replace', 'insert', 'delete'] },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { line: { type: 'integer', minimum: 1 }, before: text, after: text },
            required: ['line', 'before', 'after'],
          },
        },
        options: {
          type: 'object',
          properties: { dryRun: { type: 'boolean' }, encoding: text, retries: { type: 'integer', maximum: 9 } },
        },
      },
      required: ['path', 'edits'],
    },
    zod: z.object({
      path: z.string().min(1),
      mode: z.enum(['replace', 'insert', 'delete']).optional(),
      edits: z.array(z.object({ line: z.int().min(1), before: z.string(), after: z.string() })),
      options: z
        .object({ dryRun: z.boolean().optional(), encoding: z.string().optional(), retries: z.int().max(9).optional() })
        .optional(),
    }),
    value: {
      path: 'src/index.ts',
      mode: 'replace',
      edits: Array.from({ length: 8 }, (_, index) => ({
        line: 10 * (index + 1),
        before: `  const count = ${index};`,
        after: `  const count = ${index + 1};`,
      })),
      options: { dryRun: false, encoding: 'utf8', retries: 3 },
    },
  },
};

const validators: Readonly<Record<string, (sample: Sample) => Promise<(value: unknown) => boolean>>> = {
  async 'Haft, JSON Schema'({ jsonSchema }) {
    const schema = compileSchema(jsonSchema);
    await schema.ready();
    return (value) => (schema.validate(value) as { readonly ok: boolean }).ok;
  },
  async 'Haft, zod'({ zod }) {
    const schema = compileSchema(zod);
    return (value) => (schema.validate(value) as { readonly ok: boolean }).ok;
  },
  async ajv({ jsonSchema }) {
    return new Ajv2020({ strict: false }).compile(jsonSchema);
  },
  async zod({ zod }) {
    return (value) => zod.safeParse(value).success;
  },
};

/** One run consists of many validations, because a timer cannot measure a single one. */
const times = 1_000;

/** Validates the same arguments repeatedly. */
const makeWork: MakeWork = async ({ sample: sampleName, validator }) => {
  const sample = samples[String(sampleName)];
  const validate = sample && (await validators[String(validator)]?.(sample));
  if (sample === undefined || validate === undefined) throw new Error(`unknown validator "${String(validator)}"`);
  if (validate({ path: 1 })) throw new Error('the validator accepts every value');
  const { value } = sample;
  return {
    async run() {
      let valid = 0;
      for (let index = 0; index < times; index += 1) if (validate(value)) valid += 1;
      if (valid !== times) throw new Error(`${valid} of ${times} were valid`);
    },
    operations: times,
  };
};

export default makeWork;
