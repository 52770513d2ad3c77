import type { Random } from '../random.ts';
import { pickOfRow, ofRow } from '../random.ts';
import type { MemberPart, ObjectPart, Part } from './part.ts';

/** Typical names of arguments. Each range of seeds uses its own half. */
const names: Readonly<
  Record<'text' | 'integer' | 'number' | 'flag' | 'choice' | 'list' | 'object', readonly string[]>
> = {
  text: [
      'path', 'query', 'filePath', 'commit_message', 'url', 'targetBranch', 'sender_name', 'title', 'bodyText', 'user_id',
      'reply_to', 'searchTerm', 'content', 'old_text', 'newText', 'workingDirectory', 'locale', 'time_zone', 'apiVersion',
      'subject',
    ], // prettier-ignore
  integer: [
      'limit', 'maxResults', 'start_line', 'endLine', 'page', 'timeout_ms', 'retryCount', 'offset', 'pageSize', 'depth',
      'port', 'batch_size', 'maxDepth', 'head_limit', 'year', 'context_lines',
    ], // prettier-ignore
  number: ['temperature', 'minScore', 'price', 'zoom_level', 'ratio', 'latitude', 'sampleRate', 'threshold'],
  flag: [
      'recursive', 'dryRun', 'case_sensitive', 'force', 'includeHidden', 'replace_all', 'verbose', 'runInBackground',
      'follow_links', 'isDraft', 'overwrite', 'multiline',
    ], // prettier-ignore
  choice: ['mode', 'output_format', 'sortOrder', 'priority', 'logLevel', 'status', 'visibility', 'merge_method'],
  list: [
      'tags', 'filePaths', 'labels', 'exclude_patterns', 'recipients', 'fieldNames', 'flags', 'columns', 'line_numbers',
      'attachments', 'scores', 'edits', 'items', 'search_domains',
    ], // prettier-ignore
  object: [
    'options',
    'filterRules',
    'metadata',
    'date_range',
    'location',
    'authSettings',
    'pagination',
    'retry_policy',
  ],
};

const choices: readonly (readonly [string, ...string[]])[] = [
  ['read', 'write', 'append'],
  ['low', 'medium', 'high', 'urgent'],
  ['json', 'text', 'markdown'],
  ['OPEN', 'CLOSED', 'MERGED'],
  ['asc', 'desc'],
  ['in_progress', 'pending', 'done'],
  ['squash', 'rebase', 'fast-forward'],
  ['Public', 'Private', 'Internal'],
  ['debug', 'info', 'warn', 'error'],
  ['files_with_matches', 'content', 'count'],
];

/**
 * Draws the parameters of a tool: three to eight keys, some of them required, objects and lists up to three levels
 * deep.
 */
export function drawTool(random: Random): ObjectPart {
  return drawObject(random, 3, random.whole(3, 8));
}

function drawObject(random: Random, levels: number, size: number): ObjectPart {
  const members: Record<string, MemberPart> = {};
  for (let index = 0; index < size; index += 1) {
    const kind = drawKind(random, levels);
    const name = pickOfRow(random, names[kind]);
    // Skips names that differ only in case, because a near miss would be ambiguous.
    members[name] ??= { part: drawPart(random, kind, levels), isRequired: random.chance(0.45) };
  }
  return { kind: 'object', members, isClosed: random.chance(0.5) };
}

function drawKind(random: Random, levels: number): keyof typeof names {
  const flat = ['text', 'text', 'integer', 'integer', 'number', 'flag', 'choice'] as const;
  return random.pick(levels > 1 ? [...flat, 'list', 'list', 'object'] : flat);
}

function drawPart(random: Random, kind: keyof typeof names, levels: number): Part {
  switch (kind) {
    case 'text':
    case 'number':
    case 'flag':
      return { kind };
    case 'integer':
      return random.pick([{ kind }, { kind, least: 0 }, { kind, least: 1, most: 100_000 }]);
    case 'choice':
      return { kind, values: random.pick(ofRow(random, choices)) };
    case 'list': {
      const items = random.pick(['text', 'text', 'text', 'integer', 'number', 'choice', 'object'] as const);
      return {
        kind,
        items: items === 'object' ? drawObject(random, levels - 1, 2) : drawPart(random, items, levels - 1),
      };
    }
    default:
      return drawObject(random, levels - 1, random.whole(2, 4));
  }
}
