import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createChecker } from './validate/check-value.ts';
import { copySchema } from './document/copy-schema.ts';
import { loadFastValidator } from './validate/load-ajv-validator.ts';
import { createQuickCheck } from './generated/generated-check.ts';
import type { JsonSchema } from './json-schema.ts';
import type { SchemaDocument } from './document/schema-document.ts';
import { readSchema } from './document/read-schema.ts';
import { SchemaError } from './schema-error.ts';

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const suite = new URL('../../../../shared/corpus/json-schema-test-suite/tests/', import.meta.url);
const isThere = existsSync(suite);
if (!isThere) console.log('Skipping the JSON-Schema-Test-Suite: it is not beside this repository.');

const drafts = [
  { folder: 'draft7', uri: 'http://json-schema.org/draft-07/schema#' },
  { folder: 'draft2020-12', uri: 'https://json-schema.org/draft/2020-12/schema' },
];

/** Intended differences from the specification, by file or by group. */
const exceptions: readonly {
  readonly file: string;
  readonly group?: RegExp;
  readonly test?: RegExp;
  readonly reason: string;
}[] = [
  { file: 'format.json', test: /only an annotation/, reason: 'formats are checked, as every tool author expects' },
  { file: 'ref.json', group: /overrides any sibling/, reason: 'keywords beside $ref count in draft-07 too, as in ajv' },
  { file: 'vocabulary.json', group: /no validation vocabulary/, reason: 'custom vocabularies are not read' },
];

function isException(file: string, group: string, test: string): boolean {
  return exceptions.some(
    (one) => one.file === file && one.group?.test(group) !== false && one.test?.test(test) !== false,
  );
}

/** Reads a group's schema; `undefined` if it needs another document, which is never fetched. */
function read(group: Group, uri: string): SchemaDocument | undefined {
  const schema = typeof group.schema === 'object' ? { $schema: uri, ...group.schema } : group.schema;
  try {
    return readSchema(copySchema(schema));
  } catch (error) {
    if (error instanceof SchemaError && error.code === 'SCHEMA_REF_UNRESOLVED') return undefined;
    throw error;
  }
}

describe.skipIf(!isThere).each(drafts)('the JSON-Schema-Test-Suite, $folder', ({ folder, uri }) => {
  const directory = new URL(`${folder}/`, suite);
  const files = isThere ? readdirSync(directory).filter((name) => name.endsWith('.json')) : [];

  it.each(files)('passes %s, walked and compiled', async (file) => {
    const groups = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as readonly Group[];
    const wrong: string[] = [];
    for (const group of groups) {
      const document = read(group, uri);
      if (document === undefined) continue;
      const fast = await loadFastValidator(document);
      const quick = createQuickCheck(document);
      for (const test of group.tests) {
        const walked = createChecker(document).check(document.root, test.data);
        const compiled = fast?.(test.data) ?? walked;
        const isRight = walked === test.valid || isException(file, group.description, test.description);
        const isTooQuick = quick?.(test.data) === true && !walked;
        if (!isRight || walked !== compiled || isTooQuick) wrong.push(`${group.description}: ${test.description}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has only a few groups that require other documents', () => {
    let needing = 0;
    let all = 0;
    for (const file of files) {
      const groups = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as readonly Group[];
      all += groups.length;
      needing += groups.filter((group) => read(group, uri) === undefined).length;
    }
    expect(all).toBeGreaterThan(200);
    expect(needing).toBeLessThanOrEqual(22);
  });
});
