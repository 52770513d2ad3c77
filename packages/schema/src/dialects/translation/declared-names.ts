import { childSchemas } from '../../document/child-schemas.ts';
import type { JsonSchema } from '../../json-schema.ts';

/** Returns every key that a schema or a nested schema declares, each once. */
export function declaredNames(root: JsonSchema): readonly string[] {
  const names = new Set<string>();
  const pending: JsonSchema[] = [root];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (typeof schema === 'boolean') continue;
    for (const name of [...Object.keys(schema.properties ?? {}), ...(schema.required ?? [])]) names.add(name);
    for (const [child] of childSchemas(schema)) pending.push(child);
  }
  return [...names];
}
