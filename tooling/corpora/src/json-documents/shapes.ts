import type { JsonObject, JsonSchema, JsonValue } from '@haft/repair';

import type { Flavor, Material } from '../material/material.ts';
import type { Random } from '../random.ts';

/** A kind of tool call: its name, the shape of its arguments, and a function that creates some. */
export interface Shape {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly make: (material: Material, random: Random) => JsonObject;
}

const text = { type: 'string' } as const;
const whole = { type: 'integer' } as const;
const decimal = { type: 'number' } as const;
const flag = { type: 'boolean' } as const;
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const record = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
});

/** Text of any kind of free text. */
const freeText: readonly Flavor[] = ['prose', 'quoted prose', 'apostrophes', 'markdown', 'unicode'];
const fileText: readonly Flavor[] = ['code', 'code', 'code', 'html', 'json', 'markdown', 'prose'];

/** Without optional members that are omitted. */
function compact(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** The calls from which documents are made. */
export const shapes: readonly Shape[] = [
  {
    name: 'edit_file',
    schema: record({ path: text, old_text: text, new_text: text, replace_all: flag }, ['path', 'old_text', 'new_text']),
    make: (material, random) =>
      compact({
        path: material.make('path'),
        old_text: material.make(random.pick(['code', 'prose', 'quoted prose'])),
        new_text: material.make('code'),
        replace_all: random.chance(0.6) ? random.chance(0.5) : undefined,
      }),
  },
  {
    name: 'edit_many',
    schema: record(
      {
        path: text,
        dry_run: flag,
        edits: list(record({ line: whole, before: text, after: text }, ['line', 'before', 'after'])),
      },
      ['path', 'edits'],
    ),
    make: (material, random) => ({
      path: material.make('path'),
      dry_run: random.chance(0.5),
      edits: Array.from({ length: random.whole(1, 3) }, () => ({
        line: random.whole(1, 4_000),
        before: material.make(random.pick(['phrase', 'code', 'quoted prose'])),
        after: material.make(random.pick(['phrase', 'code', 'shell'])),
      })),
    }),
  },
  {
    name: 'write_file',
    schema: record({ path: text, content: text, overwrite: flag, mode: text }, ['path', 'content']),
    make: (material, random) => ({
      path: material.make('path'),
      content: material.make(random.pick(fileText)),
      overwrite: random.chance(0.5),
      mode: random.pick(['0644', '0755', 'keep']),
    }),
  },
  {
    name: 'run_command',
    schema: record(
      {
        command: text,
        timeout_ms: whole,
        background: flag,
        purpose: text,
        working_folder: { type: ['string', 'null'] },
      },
      ['command'],
    ),
    make: (material, random) =>
      compact({
        command: material.make('shell'),
        timeout_ms: random.whole(1, 60) * 1_000,
        background: random.chance(0.5),
        purpose: material.make(random.pick(['phrase', 'apostrophes'])),
        working_folder: random.chance(0.5) ? null : material.make('path'),
      }),
  },
  {
    name: 'find_text',
    schema: record({ pattern: text, folder: text, include: list(text), ignore_case: flag, max_results: whole }, [
      'pattern',
    ]),
    make: (material, random) => ({
      pattern: material.make(random.pick(['pattern', 'pattern', 'word'])),
      folder: random.pick(['.', 'src', './packages']),
      include: random.sample(['*.ts', '*.md', '**/*.py', '!dist/**'], random.whole(1, 3)).slice(),
      ignore_case: random.chance(0.5),
      max_results: random.pick([20, 500, 12_500, 1_000_000]),
    }),
  },
  {
    name: 'send_request',
    schema: record(
      {
        method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'DELETE'] },
        url: text,
        headers: { type: 'object', additionalProperties: text },
        body: text,
        retries: whole,
        follow: flag,
      },
      ['method', 'url'],
    ),
    make: (material, random) => ({
      method: random.pick(['POST', 'PUT']),
      url: material.make('url'),
      headers: { accept: 'application/json', 'x-request': material.make('word') },
      body: material.make('json'),
      retries: random.whole(0, 5),
      follow: random.chance(0.5),
    }),
  },
  {
    name: 'query_table',
    schema: record({ query: text, params: list({}), read_only: flag, row_limit: whole, sample_rate: decimal }, [
      'query',
    ]),
    make: (material, random) => ({
      query: random.pick([
        `SELECT * FROM ${material.make('word')} WHERE name = 'x' AND total > $1;`,
        `SELECT "id", count(*) FROM ${material.make('word')}\nGROUP BY 1\nORDER BY 2 DESC`,
      ]),
      params: [random.whole(1, 99), material.make('word'), random.pick([true, false, null])],
      read_only: random.chance(0.5),
      row_limit: random.pick([50, 1_000, 25_000]),
      sample_rate: random.pick([0.5, 0.25, 0.125]),
    }),
  },
  {
    name: 'open_issue',
    schema: record(
      {
        title: text,
        body: text,
        labels: list(text),
        assignee: { type: ['string', 'null'] },
        priority: { type: 'string', enum: ['low', 'medium', 'high', 'urgent'] },
      },
      ['title', 'body'],
    ),
    make: (material, random) => ({
      title: material.make(random.pick(['phrase', 'quoted prose', 'apostrophes'])),
      body: material.make(random.pick(freeText)),
      labels: Array.from({ length: random.whole(1, 3) }, () => material.make('word')),
      assignee: random.chance(0.5) ? null : material.make('word'),
      priority: random.pick(['low', 'medium', 'high', 'urgent']),
    }),
  },
  {
    name: 'send_mail',
    schema: record({ to: list(text), subject: text, html: text, urgent: flag, copies: whole }, [
      'to',
      'subject',
      'html',
    ]),
    make: (material, random) => ({
      to: Array.from({ length: random.whole(1, 2) }, () => `${material.make('word')}@example.com`),
      subject: material.make(random.pick(['phrase', 'prose', 'unicode'])),
      html: material.make('html'),
      urgent: random.chance(0.5),
      copies: random.whole(0, 300),
    }),
  },
  {
    name: 'copy_folder',
    schema: record({ source: text, destination: text, recursive: flag, attempts: whole }, ['source', 'destination']),
    make: (material, random) => ({
      source: material.make(random.pick(['windows path', 'windows path of escapes'])),
      destination: material.make(random.pick(['windows path', 'windows path', 'path'])),
      recursive: random.chance(0.5),
      attempts: random.whole(1, 12),
    }),
  },
  {
    name: 'set_todos',
    schema: record(
      {
        todos: list(
          record({ id: whole, content: text, status: { type: 'string', enum: ['pending', 'in_progress', 'done'] } }, [
            'id',
            'content',
            'status',
          ]),
        ),
        merge: flag,
      },
      ['todos'],
    ),
    make: (material, random) => ({
      todos: Array.from({ length: random.whole(2, 4) }, (_, index) => ({
        id: index + 1,
        content: material.make(random.pick(['phrase', 'prose', 'apostrophes', 'quoted prose'])),
        status: random.pick(['pending', 'in_progress', 'done']),
      })),
      merge: random.chance(0.5),
    }),
  },
  {
    name: 'draw_chart',
    schema: record(
      {
        title: text,
        series: list(record({ label: text, points: list(decimal) }, ['label', 'points'])),
        size: list(whole),
        scale: decimal,
        grid: flag,
      },
      ['title', 'series'],
    ),
    make: (material, random) => ({
      title: material.make(random.pick(['phrase', 'unicode'])),
      series: Array.from({ length: random.whole(1, 2) }, () => ({
        label: material.make('word'),
        points: Array.from({ length: random.whole(2, 5) }, () =>
          random.pick([1, 12, -4.5, 0.75, 2_500, 13_400.5, -0.125]),
        ),
      })),
      size: [random.pick([640, 1_280]), random.pick([480, 1_024])],
      scale: random.pick([0.5, 1.5, 2.25]),
      grid: random.chance(0.5),
    }),
  },
  {
    name: 'set_translations',
    schema: record(
      {
        locale: text,
        entries: { type: 'object', additionalProperties: text },
        fallback: { type: ['string', 'null'] },
        version: whole,
      },
      ['locale', 'entries'],
    ),
    make: (material, random) => ({
      locale: random.pick(['de', 'ja', 'pl', 'fr']),
      entries: { title: material.make('unicode'), hint: material.make('unicode'), ok: 'OK' },
      fallback: random.chance(0.5) ? null : 'en',
      version: random.whole(1, 2_000),
    }),
  },
  {
    name: 'search_pages',
    schema: record(
      {
        query: text,
        filters: record({ site: text, safe: flag, weights: list(decimal) }, ['site']),
        max_results: whole,
        language: { type: ['string', 'null'] },
      },
      ['query'],
    ),
    make: (material, random) => ({
      query: material.make(random.pick(['phrase', 'quoted prose', 'prose', 'unicode'])),
      filters: { site: material.make('url'), safe: random.chance(0.5), weights: [0.5, random.whole(1, 9), 0.25] },
      max_results: random.pick([5, 50, 39_430]),
      language: random.pick([null, 'en', 'de']),
    }),
  },
  {
    name: 'append_log',
    schema: record(
      {
        stream: text,
        lines: list(text),
        level: { type: 'string', enum: ['debug', 'info', 'error'] },
        offset: whole,
        flush: flag,
      },
      ['stream', 'lines'],
    ),
    make: (material, random) => ({
      stream: material.make('word'),
      lines: Array.from({ length: random.whole(1, 3) }, () => material.make('coloured log')),
      level: random.pick(['debug', 'info', 'error']),
      offset: random.whole(0, 90_000),
      flush: random.chance(0.5),
    }),
  },
  {
    name: 'apply_patch',
    schema: record({ patch: text, base: text, check_only: flag }, ['patch']),
    make: (material, random) => ({
      patch: `--- a/${material.make('path')}\n+++ b/${material.make('path')}\n@@ -1,3 +1,3 @@\n${material.make('code').replaceAll(/^/gm, random.pick(['+', ' ']))}`,
      base: random.pick(['main', 'HEAD~2', 'release/1.x']),
      check_only: random.chance(0.5),
    }),
  },
  {
    name: 'fill_cells',
    schema: record({ sheet: text, range: text, rows: list(list({})), formulas: list(text), freeze: whole }, [
      'sheet',
      'rows',
    ]),
    make: (material, random) => ({
      sheet: material.make('word'),
      range: random.pick(['A1:C3', 'B2:D9']),
      rows: Array.from({ length: random.whole(1, 3) }, () => [
        material.make('word'),
        random.whole(-50, 5_000),
        random.pick([null, true, 0.5]),
      ]),
      formulas: random.sample(['=SUM(A1:A9)', '=IF(B2>0,"yes","no")', "='Sheet 2'!A1"], random.whole(1, 2)).slice(),
      freeze: random.whole(0, 2),
    }),
  },
  {
    name: 'plan_meeting',
    schema: record(
      {
        title: text,
        start: text,
        minutes: whole,
        people: list(record({ name: text, mail: text, optional: flag }, ['name', 'mail'])),
        place: record({ room: text, position: list(decimal) }, ['room']),
        note: { type: ['string', 'null'] },
      },
      ['title', 'start'],
    ),
    make: (material, random) => ({
      title: material.make(random.pick(['phrase', 'apostrophes', 'quoted prose'])),
      start: random.pick(['2026-03-01T09:30:00+01:00', '2026-11-30T18:00:00Z']),
      minutes: random.pick([15, 45, 1_440]),
      people: Array.from({ length: random.whole(1, 2) }, () => ({
        name: material.make('word'),
        mail: `${material.make('word')}@example.org`,
        optional: random.chance(0.5),
      })),
      place: { room: material.make(random.pick(['word', 'phrase'])), position: [52.52, -0.13] },
      note: random.chance(0.4) ? null : material.make(random.pick(freeText)),
    }),
  },
  {
    name: 'store_value',
    schema: record({ key: text, value: {}, tags: list(text), lifetime: decimal, options: { type: 'object' } }, [
      'key',
      'value',
    ]),
    make: (material, random) => ({
      key: material.make('path'),
      value: {
        list: [[], {}, [[1, 2], [random.whole(3, 9)]], ''],
        inner: { deep: { deeper: { word: material.make('word'), none: null, yes: true } } },
        numbers: [1e21, -2.5e-7, 0, random.whole(1_000, 9_999_999)],
        text: material.make(random.pick(['shell', 'html', 'json', 'prose'])),
      },
      tags: random.chance(0.5) ? [] : [material.make('word')],
      lifetime: random.pick([0.5, 3_600, 1.5e6]),
      options: {},
    }),
  },
  {
    name: 'change_settings',
    schema: record({ scope: text, settings: { type: 'object' }, reload: flag }, ['settings']),
    make: (material, random) => ({
      scope: random.pick(['user', 'workspace']),
      settings: {
        'editor.fontSize': random.whole(8, 30),
        'files.exclude': { '**/*.js': true, '**/dist': false },
        'window title': material.make('phrase'),
        größe: material.make('unicode'),
        $schema: material.make('url'),
        '2': random.pick([2_000, 0.25]),
      },
      reload: random.chance(0.5),
    }),
  },
  {
    name: 'ask_people',
    schema: record({ question: text, choices: list(text), details: text, deadline_hours: decimal }, [
      'question',
      'choices',
    ]),
    make: (material, random) => ({
      question: material.make(random.pick(['quoted prose', 'apostrophes', 'prose', 'unicode'])),
      choices: Array.from({ length: random.whole(2, 4) }, () =>
        material.make(random.pick(['phrase', 'word', 'apostrophes'])),
      ),
      details: [material.make('markdown'), material.make('code')].join('\n'),
      deadline_hours: random.pick([0.5, 24, 1_000]),
    }),
  },
];
