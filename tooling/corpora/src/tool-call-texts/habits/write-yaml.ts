import type { JsonObject, JsonValue } from '@haft/repair';

import type { Random } from '../../random.ts';

/** Writes an object as the YAML that models write: plain where that is safe, otherwise quoted or as a block. */
export function writeYaml(value: JsonObject, random: Random, indent: string): string {
  return Object.entries(value)
    .map(([key, member]) => `${indent}${key}:${writeMember(member, random, indent)}`)
    .join('\n');
}

function writeMember(value: JsonValue, random: Random, indent: string): string {
  if (typeof value === 'string' && isBlock(value) && random.chance(0.6)) {
    const lines = value.split('\n').map((line) => (line === '' ? '' : `${indent}  ${line}`));
    return ` |-\n${lines.join('\n')}`;
  }
  if (typeof value !== 'object' || value === null) return ` ${writeScalar(value)}`;
  if (Object.keys(value).length === 0 || random.chance(0.2)) return ` ${JSON.stringify(value)}`;
  if (!Array.isArray(value)) return `\n${writeYaml(value as JsonObject, random, `${indent}  `)}`;
  const items = value as readonly JsonValue[];
  return `\n${items.map((item) => `${indent}  - ${typeof item === 'object' ? JSON.stringify(item) : writeScalar(item)}`).join('\n')}`;
}

function writeScalar(value: JsonValue): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain = /^\p{L}[\p{L}\p{N} .'’()&-]*$/u.test(value) && !/^(?:true|false|null|yes|no)$|\s$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function isBlock(text: string): boolean {
  return /\n/.test(text) && !/^\s|\s$|\t|\r|\n[ \n]/.test(text);
}
