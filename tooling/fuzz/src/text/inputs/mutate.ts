import type { Random } from '@haft-tooling/corpora/random';

type Change = (text: string, random: Random, tokens: readonly string[], other: string) => string;

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

const insertToken: Change = (text, random, tokens) => {
  const at = random.whole(0, text.length);
  return splice(text, at, at, random.pick(tokens));
};

const replaceByToken: Change = (text, random, tokens) => {
  const at = random.whole(0, text.length);
  return splice(text, at, at + random.whole(1, 3), random.pick(tokens));
};

const drop: Change = (text, random) => {
  const at = random.whole(0, text.length);
  return splice(text, at, at + (random.chance(0.7) ? 1 : random.whole(1, 20)), '');
};

const repeat: Change = (text, random) => {
  const at = random.whole(0, text.length);
  const piece = text.slice(at, at + random.whole(1, 30));
  return splice(text, at, at, piece.repeat(random.whole(1, 3)));
};

const swap: Change = (text, random) => {
  const [one = 0, two = 0, three = 0] = [0, 1, 2].map(() => random.whole(0, text.length)).toSorted((a, b) => a - b);
  return text.slice(0, one) + text.slice(two, three) + text.slice(one, two) + text.slice(three);
};

const cut: Change = (text, random) => {
  const at = random.whole(0, text.length);
  return random.chance(0.7) ? text.slice(0, at) : text.slice(at);
};

const changeCharacter: Change = (text, random) => {
  const at = random.whole(0, text.length);
  return splice(
    text,
    at,
    at + 1,
    String.fromCharCode(random.chance(0.9) ? random.whole(1, 0x7f) : random.whole(0, 0xffff)),
  );
};

const loseStructure: Change = (text, random) => {
  const places = [...text.matchAll(/[{}[\]:,"]/g)].map(({ index }) => index);
  if (places.length === 0) return text;
  const at = random.pick(places);
  return splice(text, at, at + 1, '');
};

const cross: Change = (text, random, _tokens, other) =>
  text.slice(0, random.whole(0, text.length)) + other.slice(random.whole(0, other.length));

// Realistic damages are chosen more often.
const changes: readonly Change[] = [
  insertToken,
  replaceByToken,
  drop,
  loseStructure,
  repeat,
  swap,
  cut,
  changeCharacter,
  cross,
];
const common: readonly Change[] = [insertToken, drop, loseStructure];

/** Changes a text in one or a few places, in realistic and in unrealistic ways. */
export function mutate(text: string, other: string, tokens: readonly string[], random: Random): string {
  let changed = text;
  const count = random.chance(0.5) ? 1 : random.whole(2, 5);
  for (let done = 0; done < count; done += 1)
    changed = random.pick(random.chance(0.6) ? changes : common)(changed, random, tokens, other);
  return changed;
}
