import type { JournalRecord } from '../journal-record.ts';

/** The parsed lines of a log. */
export interface JournalLines {
  readonly records: readonly JournalRecord[];
  /** Bytes of each record's line, including the line break. */
  readonly lines: readonly Uint8Array[];
  /** Bytes of each invalid line, without the line break. */
  readonly damaged: readonly Uint8Array[];
}

const lineBreak = 0x0a;
const maxLineBytes = 134_217_728;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the lines of a log. A last line without a line break is truncated and counts as damaged. */
export function readJournalLines(bytes: Uint8Array): JournalLines {
  const records: JournalRecord[] = [];
  const lines: Uint8Array[] = [];
  const damaged: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(lineBreak, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    const record = end === -1 ? undefined : readRecord(line);
    if (record) {
      records.push(record);
      lines.push(bytes.subarray(from, end + 1));
    } else if (line.length > 0) damaged.push(line);
    from = end === -1 ? bytes.length : end + 1;
  }
  return { records, lines, damaged };
}

function readRecord(line: Uint8Array): JournalRecord | undefined {
  if (line.length > maxLineBytes) return undefined;
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(line));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Validates the members that the journal uses. */
function isRecord(value: unknown): value is JournalRecord {
  if (!isObject(value) || !isSequence(value['sequence']) || !isNumber(value['at']) || 'version' in value) return false;
  if (value['type'] === 'begin')
    return (
      isText(value['id']) &&
      isFacts(value['call']) &&
      isMissingOr(isTexts, value['paths']) &&
      isMissingOr(isText, value['parent']) &&
      isMissingOr(isTexts, value['undoes'])
    );
  if (value['type'] === 'change')
    return (
      isTexts(value['ids']) &&
      isListOf(isChange, value['changes']) &&
      isMissingOr((mark) => mark === true, value['isInferred'])
    );
  return (
    value['type'] === 'end' &&
    isText(value['id']) &&
    typeof value['ok'] === 'boolean' &&
    isListOf(isMismatch, value['mismatches'])
  );
}

function isFacts(value: unknown): boolean {
  const names = ['callId', 'tool', 'provider', 'sessionId', 'runId'];
  return isObject(value) && names.every((name) => isText(value[name])) && isNumber(value['turn']);
}

function isChange(value: unknown): boolean {
  return isObject(value) && isText(value['path']) && isState(value['before']) && isState(value['after']);
}

function isState(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { kind, mode, size, hash, stamp, target } = value;
  if (kind === 'absent' || kind === 'other') return true;
  if (kind === 'link') return isText(target);
  if (kind === 'directory') return isCount(mode);
  const isHash = (text: unknown): boolean => isText(text) && /^[0-9a-f]{64}$/.test(text);
  return kind === 'file' && isCount(mode) && isCount(size) && isMissingOr(isHash, hash) && isMissingOr(isText, stamp);
}

function isMismatch(value: unknown): boolean {
  return isObject(value) && isText(value['kind']) && isTexts(value['paths']) && isCount(value['count']);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Rejects numbers near the end of the safe range, because the sequence continues from them. */
function isSequence(value: unknown): boolean {
  return isCount(value) && (value as number) < 2 ** 52;
}

function isTexts(value: unknown): boolean {
  return isListOf(isText, value);
}

function isListOf(fits: (item: unknown) => boolean, value: unknown): boolean {
  return Array.isArray(value) && value.every(fits);
}

function isMissingOr(fits: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || fits(value);
}
