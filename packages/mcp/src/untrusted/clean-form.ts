import { cleanLine, cutBytes } from './clean-text.ts';
import { cleanValue } from './clean-value.ts';

/** A user can't fill in more, and cleaning takes time. */
const maxFields = 500;
const maxLabelCharacters = 200;
const maxDescriptionBytes = 4_096;

/**
 * Cleans the schema of a form that a server shows to the user. Hidden characters are removed everywhere. Labels become
 * single lines, and labels and descriptions are cut, so that a field can't imitate other parts of the host's form.
 * Apart from that, values stay unchanged, because answers repeat them.
 *
 * @throws Error if the form has too many fields, if a member name holds hidden characters, or if the schema is nested
 *   too deeply.
 */
export function cleanForm<Schema extends { readonly properties?: unknown }>(schema: Schema): Schema {
  if (Object.keys(schema.properties ?? {}).length > maxFields)
    throw new Error(`the form has more than ${maxFields} fields`);
  return label(cleanValue(schema), false) as Schema;
}

/** @param isNamed whether the members of the value are fields by their names, such as a field named `title`. */
function label(value: unknown, isNamed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => label(item, false));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (isNamed) return [name, label(member, false)];
      if (name === 'title' && typeof member === 'string') return [name, cleanLine(member, maxLabelCharacters)];
      if (name === 'description' && typeof member === 'string') return [name, cutBytes(member, maxDescriptionBytes)];
      if (name === 'enumNames' && Array.isArray(member))
        return [name, member.map((one) => (typeof one === 'string' ? cleanLine(one, maxLabelCharacters) : one))];
      if (name === 'default' || name === 'const' || name === 'enum') return [name, member];
      return [name, label(member, name === 'properties')];
    }),
  );
}
