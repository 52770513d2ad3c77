/** A number in a value of CSS, with its unit in lower case. */
export interface Quantity {
  readonly amount: number;
  readonly unit: string;
}

const quantity = /(?<![\w#.-])([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)/g;

/** Pixels in a unit of absolute length, and in those that depend on a font, for a font of 16 pixels. */
const pixels: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 37.8,
  mm: 3.78,
  q: 0.945,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  cap: 11,
  ic: 16,
  lh: 19,
  rlh: 19,
};

/** Returns the numbers that stand in a value, also within functions. */
export function quantitiesOf(value: string): readonly Quantity[] {
  return [...value.matchAll(quantity)].map(([, amount, unit = '']) => ({ amount: Number(amount), unit }));
}

/** Returns a length in pixels. Returns undefined for a unit that depends on something other than a font. */
export function pixelsOf({ amount, unit }: Quantity): number | undefined {
  const factor = Object.hasOwn(pixels, unit) ? pixels[unit] : undefined;
  return factor === undefined ? undefined : amount * factor;
}

/** Returns a number without unit, or a percentage as a part of one. */
export function shareOf({ amount, unit }: Quantity): number {
  return unit === '%' ? amount / 100 : amount;
}

/** Red, green, blue from 0 to 255, and opacity from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

const named: Readonly<Record<string, string>> = {
  transparent: '00000000',
  black: '000000',
  white: 'ffffff',
  snow: 'fffafa',
  ivory: 'fffff0',
  ghostwhite: 'f8f8ff',
  whitesmoke: 'f5f5f5',
  floralwhite: 'fffaf0',
  mintcream: 'f5fffa',
  azure: 'f0ffff',
  seashell: 'fff5ee',
  gainsboro: 'dcdcdc',
  lightgray: 'd3d3d3',
  lightgrey: 'd3d3d3',
  silver: 'c0c0c0',
  gray: '808080',
  grey: '808080',
  darkgray: 'a9a9a9',
  red: 'ff0000',
  green: '008000',
  blue: '0000ff',
  yellow: 'ffff00',
  navy: '000080',
  orange: 'ffa500',
  purple: '800080',
  lime: '00ff00',
  aqua: '00ffff',
  cyan: '00ffff',
  teal: '008080',
  maroon: '800000',
  olive: '808000',
  fuchsia: 'ff00ff',
  magenta: 'ff00ff',
};

/** Reads a colour: a hexadecimal one, `rgb()`, `hsl()` or one of the more usual names. Returns undefined for another. */
export function readColor(given: string): Color | undefined {
  const value = given.trim();
  const digits = Object.hasOwn(named, value) ? named[value]! : /^#([\da-f]{3,8})$/.exec(value)?.[1];
  if (digits !== undefined) return readDigits(digits);
  const [, space, inner = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value) ?? [];
  if (space === undefined) return undefined;
  const numbers = quantitiesOf(inner);
  const [first, second, third, alpha] = numbers;
  if (!first || !second || !third) return undefined;
  const opacity = alpha ? shareOf(alpha) : 1;
  if (space === 'hsl') return [...fromHsl(first.amount, second.amount / 100, third.amount / 100), opacity];
  const channel = ({ amount, unit }: Quantity): number => (unit === '%' ? amount * 2.55 : amount);
  return [channel(first), channel(second), channel(third), opacity];
}

/** Whether a text of one colour can hardly be seen on another. */
export function isSameColor(one: Color, other: Color): boolean {
  return [0, 1, 2].every((channel) => Math.abs(one[channel]! - other[channel]!) <= 16);
}

function readDigits(digits: string): Color | undefined {
  const isShort = digits.length <= 4;
  if (digits.length === 5 || digits.length === 7) return undefined;
  const whole = isShort ? digits.replace(/./g, '$&$&') : digits;
  const channel = (index: number): number => Number.parseInt(whole.slice(index * 2, index * 2 + 2), 16);
  return [channel(0), channel(1), channel(2), whole.length === 8 ? channel(3) / 255 : 1];
}

function fromHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const place = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
