import type { Command } from '../program/command.ts';

/** All options of all commands that a configuration may set. */
export function configurableOptions(commands: readonly Command[]): Command['options'] {
  const all: Command['options'] = Object.assign({}, ...commands.map(({ options }) => options));
  return Object.fromEntries(Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The JSON schema of `haft.config.json`, which editors use to complete and check it. */
export function describeConfiguration(commands: readonly Command[]): object {
  const properties = Object.entries(configurableOptions(commands)).map(([name, option]) => [
    name,
    { type: option.type, description: option.description, ...(option.type === 'string' && { minLength: 1 }) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Options of haft, by name as on the command line',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  };
}
