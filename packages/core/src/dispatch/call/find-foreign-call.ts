type Members = Readonly<Partial<Record<string, unknown>>>;

/** Names that other frameworks use for the arguments. Without this check, the tool would run without arguments. */
const inPlaceOfArguments = ['input', 'args', 'parameters'];

/**
 * Detects the call format of another framework: a call without `arguments`, or with another ID. Returns a description
 * of the format and of what to write instead. Throws what reading the call throws.
 */
export function findForeignCall(call: object): string | undefined {
  const members = call as Members;
  // `id` identifies the output item. Results are matched by `call_id`.
  if (typeof members['call_id'] === 'string' && members['call_id'] !== members['id']) {
    return 'the call has the shape of the OpenAI Responses API; map it to { id: call.call_id, name: call.name, arguments: call.arguments }';
  }
  if (typeof members['name'] !== 'string') {
    if (typeof members['toolName'] === 'string') {
      const given = members['input'] === undefined && members['args'] !== undefined ? 'args' : 'input';
      return `the call has the shape of the AI SDK; map it to { id: call.toolCallId, name: call.toolName, arguments: call.${given} }`;
    }
    if (isNamed(members['function'])) {
      return 'the call has the shape of OpenAI; map it to { id: call.id, name: call.function.name, arguments: call.function.arguments }';
    }
  }
  const found = inPlaceOfArguments.find((key) => members[key] !== undefined);
  return found === undefined
    ? undefined
    : `the call has \`${found}\` instead of \`arguments\`; expected { id, name, arguments }`;
}

function isNamed(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Members)['name'] === 'string';
}
