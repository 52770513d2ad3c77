/** Codes of {@link PluginError}. */
export const pluginErrorCodes: readonly ['INVALID_OPTION', 'LOADER_EXISTS', 'NODE_TOO_OLD'] = [
  'INVALID_OPTION',
  'LOADER_EXISTS',
  'NODE_TOO_OLD',
];

/** A literal code of {@link PluginError}. */
export type PluginErrorCode = (typeof pluginErrorCodes)[number];

/** Thrown when a program misuses the plugin loader. A plugin that can't be loaded is reported by an event instead. */
export class PluginError extends Error {
  override readonly name = 'PluginError';
  readonly code: PluginErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: PluginErrorCode, message: string) {
    super(message);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#dynamic-tools-${code}`;
  }
}

/** Creates the error for an invalid option. */
export function invalidOption(message: string): PluginError {
  return new PluginError('INVALID_OPTION', message);
}
