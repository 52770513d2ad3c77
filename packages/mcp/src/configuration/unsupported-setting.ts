/** A setting of a configuration that has no effect. */
export interface UnsupportedSetting {
  /** The setting as the file names it, such as `timeout` or `${file:/key}`. */
  readonly member: string;
  /** Why the setting has no effect. */
  readonly reason: string;
  /** How to get the same effect. */
  readonly hint: string;
}

type Explanation = Omit<UnsupportedSetting, 'member'>;

const limits: Explanation = {
  reason: 'time limits belong to the connection',
  hint: 'Set startTimeoutMs, idleTimeoutMs or requestTimeoutMs in `connections` of the connection manager.',
};
const permission: Explanation = {
  reason: 'a configuration file must not allow calls',
  hint: 'Allow the tools with a rule of your permission engine.',
};
const login: Explanation = {
  reason: 'a login needs a user or a key, which only your program has',
  hint: 'Pass `login` with the server to `manager.add` or `createConnection`.',
};
const jail: Explanation = {
  reason: 'the server runs without a sandbox, with your rights',
  hint: 'Start the server in a sandbox or a container by its own command.',
};
const start: Explanation = {
  reason: 'a server that fails never ends your program',
  hint: 'Look at `failed` and `missing` of the report that `manager.restore()` returns.',
};
const development: Explanation = {
  reason: 'watching and debugging a server is a feature of the editor',
  hint: 'Call `manager.reconnect(name)` after a change of the server.',
};

/** Members that clients write and that are not supported. */
const explanations: ReadonlyMap<string, Explanation> = new Map([
  ...['timeout', 'initTimeout', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'].map(
    (member) => [member, limits] as const,
  ),
  ...['autoApprove', 'alwaysAllow', 'trust', 'default_tools_approval_mode', 'tools'].map(
    (member) => [member, permission] as const,
  ),
  ...['auth', 'oauth', 'authProviderType', 'scopes', 'oauth_resource', 'bearer_token', 'targetAudience'].map(
    (member) => [member, login] as const,
  ),
  ...['sandbox', 'sandboxEnabled', 'sandbox_mode'].map((member) => [member, jail] as const),
  ['required', start],
  ['dev', development],
]);

/** Explains members of a server's entry that are not supported. */
export function explainMembers(members: readonly string[]): readonly UnsupportedSetting[] {
  return members.map((member) => {
    const known = explanations.get(member);
    return {
      member,
      reason: known?.reason ?? 'the setting is unknown',
      hint: known?.hint ?? 'Check that the server works without it.',
    };
  });
}

/** Explains a reference that only the client of the file can replace. */
export function explainReference(reference: string): UnsupportedSetting {
  return {
    member: reference,
    reason: 'only the client that the file was written for can replace this reference',
    hint: 'Set an environment variable to the value, and refer to it as ${NAME}.',
  };
}
