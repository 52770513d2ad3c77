/** Words for names, paths and sentences. */
export const nouns = [
  'invoice', 'ledger', 'harbour', 'compass', 'widget', 'session', 'parser', 'garden', 'orchard', 'signal', 'kernel',
  'archive', 'lantern', 'market', 'ticket', 'bridge', 'window', 'packet', 'meadow', 'engine',
] as const; // prettier-ignore

export const verbs = [
  'load', 'merge', 'collect', 'render', 'resolve', 'encode', 'trim', 'watch', 'verify', 'schedule', 'flatten', 'rotate',
] as const; // prettier-ignore

export const adjectives = [
  'quiet', 'stale', 'bright', 'narrow', 'eager', 'remote', 'sturdy', 'shallow', 'plain', 'distant',
] as const; // prettier-ignore

export const names = [
  'Agnes',
  'Bram',
  'Chidi',
  'Dorota',
  'Emre',
  'Farah',
  'Goro',
  'Hanne',
  'Imani',
  'Joaquim',
] as const;

export const folders = ['src', 'lib', 'app', 'docs', 'config', 'scripts', 'packages', 'internal', 'tests'] as const;

export const extensions = ['ts', 'py', 'go', 'rs', 'md', 'json', 'css', 'toml', 'sql'] as const;

export const domains = ['example.com', 'api.example.org', 'files.example.net', 'status.example.com'] as const;

/** Sentences without characters to escape. */
export const sentences = [
  'The {adjective} {noun} was moved last week.',
  'Please check the {noun} before noon, then the {noun2}.',
  'Rename {noun} to {noun2}; nothing else changes.',
  'We tried three times: it failed twice.',
  '{name} will {verb} the {noun} (see the notes).',
  'Costs rose by 4.5 % in May, mostly for the {noun}.',
  'Steps: {verb}, {verb2}, repeat.',
  'No {noun} was found in the {adjective} {noun2}',
  'Room {number}, second floor: ask for {name}, bring the {noun}.',
  'Either {verb} it [now] or {verb2} it {later}, as you like!',
  'Version 2.{number} fixes #{number}: the {noun} no longer blinks (really).',
  'a, b, c: three {noun}s; d: {number}',
  'Is the {noun} {adjective}? Yes -- since 10:30, at least.',
  'path=/{folder}/{noun}, mode={adjective}, n={number}',
] as const;

/** Sentences with quotation marks. */
export const quotedSentences = [
  '{name} said "the {noun} is {adjective}" and left.',
  'Use "{verb} {noun}" instead of "{verb2} {noun2}".',
  'The button reads "Save", not "Send".',
  'Replace the word "{noun}" everywhere, then "{noun2}".',
  'Error: "{noun}" is not a {adjective} {noun2}',
  'He replied: "fine", and closed the ticket "{noun}"',
  'Titles such as "The {adjective} {noun}": keep them.',
  '"{Noun}" and "{noun2}" are both taken; "{verb}" is free.',
  'It printed "{noun}: {number}", then "{noun2}", then nothing.',
  'Set "mode": "{adjective}" and "{noun}": {number} in the file.',
  'They call it the "{adjective}" one ("{noun}"), {name} does not.',
  'Search for ["{noun}", "{noun2}"], or {"{noun}"}.',
  'Why "{verb}"? Because "{verb2}" was said, "{adjective}", twice.',
  'the 5" {noun} and the 7" {noun2}, both {adjective}',
] as const;

/** Sentences with apostrophes. */
export const apostropheSentences = [
  "The {noun} isn't ready, {name}'s review is missing.",
  "Don't {verb} the {noun}; it's {adjective}.",
  "{name}'s {noun} won't {verb}.",
  "We've moved the users' {noun} already",
  "It's {name}'s turn, isn't it? The {noun}'s 'old' name stays.",
  "The '{noun}' key mustn't hold '{noun2}', but it does.",
  "o'clock, rock 'n' roll, and {name}'s {adjective} {noun}",
] as const;

/** Non-ASCII text. */
export const unicodeTexts = [
  'Größe der Übersicht: fünf Äpfel',
  '設定ファイルを読み込みます。',
  'Прочитай файл и сохрани отчёт',
  'café ☕ à côté du théâtre 🎭',
  'مرحبا بالعالم',
  'Zażółć gęślą jaźń',
  '你好，世界：这是一个测试',
  'naïve façade – 5 × 3 ≈ 15 😀👍🏽',
  'Ελληνικά κείμενα',
  '한국어 문장입니다 🚀',
  'Ça va ? « Oui », dit-il… 20 °C',
  '“Smart” quotes — and ‘single’ ones',
  'שלום עולם, מה שלומך?',
  'ทดสอบภาษาไทย ๑๒๓',
  '👨‍👩‍👧‍👦 family, 🏳️‍🌈 flag, e\u0301 combining',
  '価格：1,000円（税込）、「確認」してください。',
  'Привет, “мир”: 5 × 5 = 25 ✔',
] as const;
