/** Variables that programs need to start, on POSIX systems and on Windows. */
const basicVariables: readonly string[] = [
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** Variables that programs need in a company's network: certificates and proxies. */
const networkVariables: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
];

/** Sources of a server's environment. */
export interface EnvironmentSources {
  readonly env: Readonly<Record<string, string>>;
  readonly inheritEnvironment: readonly string[];
}

/**
 * Creates the environment of a server: HOME, PATH and a few others, certificates and proxies, the variables to inherit,
 * and `env`. Nothing else of this program's environment is passed on.
 */
export function createServerEnvironment({ env, inheritEnvironment }: EnvironmentSources): Record<string, string> {
  return { ...inherit(basicVariables), ...inherit(networkVariables), ...inherit(inheritEnvironment), ...env };
}

/** Returns the inherited values that may be secrets: variables named by the user, and passwords of proxies. */
export function inheritedSecrets(inheritEnvironment: readonly string[]): readonly string[] {
  const passwords = Object.values(inherit(networkVariables)).flatMap((value) => {
    const password = URL.parse(value)?.password ?? '';
    return password === '' ? [] : [password];
  });
  return [...Object.values(inherit(inheritEnvironment)), ...passwords];
}

/** Returns the variables that are set. A value that begins with `()` is a function that old versions of Bash would define. */
function inherit(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
    }),
  );
}
