import { compileSchema, describeIssues, type SchemaInput } from '@haft/schema';
import type { Guardrail } from './guardrail.ts';

/**
 * Validates the arguments of tools with an additional schema, for example one that allows fewer hosts or requires a
 * reason. Dispatch checks each tool's own schema anyway. Arguments are not coerced.
 *
 * @param schemas schemas by tool name.
 * @throws SchemaError for an invalid schema.
 * @example
 * import { requireSchema } from '@haft/runner';
 * const guard = requireSchema({ fetch: { type: 'object', required: ['reason'] } });
 * guard.name; // => 'schema'
 */
export function requireSchema(schemas: Readonly<Record<string, SchemaInput>>, name = 'schema'): Guardrail {
  const compiled = new Map(Object.entries(schemas).map(([tool, schema]) => [tool, compileSchema(schema)]));
  return {
    name,
    kind: 'schema',
    async before({ call, arguments: args }) {
      const schema = compiled.get(call.name);
      if (!schema) return undefined;
      await schema.ready();
      const judged = await schema.validate(args);
      if (judged.ok && judged.coercions.length === 0) return undefined;
      const wrong = judged.ok
        ? judged.coercions.map(({ path }) => `${path}: does not match the schema`).join('\n')
        : describeIssues(judged.issues);
      return {
        reject: `the arguments of ${call.name} are not allowed here:\n${wrong}`,
        hint: 'Nothing was done. Correct the arguments and call again.',
        code: 'INVALID_ARGS',
      };
    },
  };
}
