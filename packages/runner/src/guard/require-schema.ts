import { compileSchema, describeIssues, type SchemaInput } from '@haft/schema';
import type { Guardrail } from './guardrail.ts';

/**
 * Holds the arguments of some tools to a schema besides their own, such as one that allows fewer hosts or demands a reason.
 * (Their own is checked by dispatch in any case.) Nothing is coerced: what the tool is given is what it was.
 *
 * @param schemas by name of the tool.
 * @throws SchemaError for a schema that can't be used.
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
        ? judged.coercions.map(({ path }) => `${path}: not as the schema has it`).join('\n')
        : describeIssues(judged.issues);
      return {
        reject: `the arguments of ${call.name} are not allowed here:\n${wrong}`,
        hint: 'Nothing was done. Mend the arguments and call again.',
        code: 'INVALID_ARGS',
      };
    },
  };
}
