import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { isRecord } from '@haft/core/options';
import {
  inputOf,
  listOf,
  mapStrings,
  referenceTo,
  scalarOf,
  textOf,
  type ImportedContents,
  type JsonRecord,
} from './imported-entry.ts';

/** Folders that a bundle may name. */
const folders: Readonly<Record<string, () => string>> = {
  HOME: homedir,
  DESKTOP: () => join(homedir(), 'Desktop'),
  DOCUMENTS: () => join(homedir(), 'Documents'),
  DOWNLOADS: () => join(homedir(), 'Downloads'),
  pathSeparator: () => sep,
  '/': () => sep,
};

/** Reads the manifest of an MCP bundle (MCPB, formerly DXT). */
export function readBundle(value: JsonRecord, directory: string): ImportedContents | undefined {
  const { server, compatibility } = value;
  const name = textOf(value['name']);
  if (name === undefined || !isRecord(server) || (value['manifest_version'] ?? value['dxt_version']) === undefined)
    return undefined;
  const { mcp_config: given } = server;
  if (!isRecord(given)) {
    const hint = 'Ask the author of the bundle for a manifest with "mcp_config".';
    const setting = { member: 'server', reason: 'it has no "mcp_config", so its command is not known', hint };
    return { format: 'mcpb', entries: [], inputs: [], unsupported: [setting] };
  }
  const overrides = isRecord(given['platform_overrides']) ? given['platform_overrides'][process.platform] : undefined;
  const { command, args, env } = { ...given, ...(isRecord(overrides) ? overrides : {}) } as JsonRecord;

  const place = (text: string): string =>
    text.replace(/\$\{(__dirname|[A-Z]+|pathSeparator|\/)\}/g, (whole, folder: string) =>
      folder === '__dirname' ? directory : Object.hasOwn(folders, folder) ? folders[folder]!() : whole,
    );
  const settings = new Map<string, JsonRecord>(
    Object.entries(isRecord(value['user_config']) ? value['user_config'] : {}).flatMap(([key, one]) =>
      isRecord(one) ? [[`user_config.${key}`, mapStrings(one, place) as JsonRecord] as const] : [],
    ),
  );
  const fill = (text: string): string =>
    place(text).replace(/\$\{(user_config\.[\w.-]+)\}/g, (_whole, id: string) =>
      referenceTo(id, scalarOf(settings.get(id)?.['default']), settings.get(id)?.['required'] === true),
    );
  /** A setting with several values replaces one argument by several. */
  const several = (arg: unknown): readonly unknown[] => {
    const id = /^\$\{(user_config\.[\w.-]+)\}$/.exec(String(arg))?.[1] ?? '';
    return settings.get(id)?.['multiple'] === true ? listOf(settings.get(id)?.['default']) : [arg];
  };
  const isOther =
    isRecord(compatibility) &&
    Array.isArray(compatibility['platforms']) &&
    !compatibility['platforms'].includes(process.platform);
  return {
    format: 'mcpb',
    entries: [
      {
        name,
        entry: mapStrings({ command, args: listOf(args).flatMap(several), env: env ?? {} }, fill),
        unsupported: [
          ...(isOther
            ? [
                {
                  member: 'compatibility.platforms',
                  reason: `the bundle is not made for ${process.platform}`,
                  hint: 'Test the server before you rely on it.',
                },
              ]
            : []),
          ...[...settings].flatMap(([id, one]) =>
            one['multiple'] === true
              ? [
                  {
                    member: id,
                    reason: 'it takes several values, and its default is used',
                    hint: 'Change "args" of the imported server to use other values.',
                  },
                ]
              : [],
          ),
        ],
      },
    ],
    inputs: [...settings].flatMap(([id, one]) =>
      one['multiple'] === true
        ? []
        : inputOf(id, {
            description: textOf(one['description']) ?? textOf(one['title']),
            isSecret: one['sensitive'] === true,
            isRequired: one['required'] === true,
            default: scalarOf(one['default']),
          }),
    ),
    unsupported: [],
  };
}
