/** A number in a CSS value, with its unit in lower case. */
export interface Quantity {
  readonly amount: number;
  readonly unit: string;
}

const quantity = /(?<![\w#.-])([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)/g;

/** The size in pixels of each absolute unit, and of units that depend on the font, for a font of 16 pixels. */
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

/** Returns the numbers in a value, including those inside functions. */
export function quantitiesOf(value: string): readonly Quantity[] {
  return [...value.matchAll(quantity)].map(([, amount, unit = '']) => ({ amount: Number(amount), unit }));
}

/** Returns a length in pixels. Returns undefined for a unit that depends on something other than a font. */
export function pixelsOf({ amount, unit }: Quantity): number | undefined {
  const factor = Object.hasOwn(pixels, unit) ? pixels[unit] : undefined;
  return factor === undefined ? undefined : amount * factor;
}

/** Returns a number without a unit, or a percentage as a fraction of one. */
export function shareOf({ amount, unit }: Quantity): number {
  return unit === '%' ? amount / 100 : amount;
}

const simpleSum = /(?:calc)?\(\s*([+-]?[\d.]+)([a-z%]*)\s*([-+*/])\s*([+-]?[\d.]+)([a-z%]*)\s*\)/g;

/** Evaluates sums of two numbers in a value. Leaves other expressions unchanged. */
export function simplifySums(value: string): string {
  if (!value.includes('calc(')) return value;
  return value.replace(simpleSum, (whole, one: string, unit: string, sign: string, two: string, other: string) => {
    const [a, b] = [Number(one), Number(two)];
    const isTimes = sign === '*' || sign === '/';
    if (Number.isNaN(a + b) || (isTimes ? unit !== '' && other !== '' : unit !== other)) return whole;
    const result = sign === '+' ? a + b : sign === '-' ? a - b : sign === '*' ? a * b : a / b;
    return `${Number.isFinite(result) ? result : 0}${unit || other}`;
  });
}

const degrees: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

/** Returns an angle in degrees. Returns undefined if the text is not an angle. */
export function degreesOf({ amount, unit }: Quantity): number | undefined {
  const factor = Object.hasOwn(degrees, unit) ? degrees[unit] : undefined;
  return factor === undefined ? undefined : amount * factor;
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
  linen: 'faf0e6',
  oldlace: 'fdf5e6',
  beige: 'f5f5dc',
  cornsilk: 'fff8dc',
  aliceblue: 'f0f8ff',
  honeydew: 'f0fff0',
  lightyellow: 'ffffe0',
  lavenderblush: 'fff0f5',
  lavender: 'e6e6fa',
  rebeccapurple: '663399',
  canvas: 'ffffff',
  window: 'ffffff',
  field: 'ffffff',
  canvastext: '000000',
  windowtext: '000000',
  fieldtext: '000000',
};

/**
 * Parses a colour: hexadecimal, `rgb()`, `hsl()`, `hwb()`, `color()`, a common name, or the light colour of
 * `light-dark()`. In colour spaces based on lightness, recognizes only white, black and transparent. Returns undefined
 * for any other colour.
 */
export function readColor(given: string): Color | undefined {
  const value = given.trim();
  const digits = Object.hasOwn(named, value) ? named[value]! : /^#([\da-f]{3,8})$/.exec(value)?.[1];
  if (digits !== undefined) return readDigits(digits);
  if (value.startsWith('light-dark(')) return readColor(/^light-dark\((.*?),[^,]*\)$/.exec(value)?.[1] ?? '');
  const [, space, inner = ''] =
    /^(rgb|hsl|hwb|color|lab|lch|oklab|oklch)a?\(([^()]*)\)$/.exec(value.replace(/calc\(([^()]*)\)/g, '$1')) ?? [];
  if (space === undefined) return undefined;
  if (inner.trimStart().startsWith('from ')) {
    const alpha = inner.includes('/') ? quantitiesOf(inner.slice(inner.lastIndexOf('/') + 1))[0] : undefined;
    return alpha && shareOf(alpha) <= 0.1 ? [0, 0, 0, shareOf(alpha)] : undefined;
  }
  const numbers = quantitiesOf(inner);
  const [first, second, third, alpha] = numbers;
  if (!first || !second || !third) return undefined;
  const opacity = alpha ? shareOf(alpha) : 1;
  if (space === 'hsl') return [...fromHsl(first.amount, second.amount / 100, third.amount / 100), opacity];
  if (space === 'hwb') {
    const [white, black] = [second.amount / 100, third.amount / 100];
    const grey = white / Math.max(1, white + black);
    if (white + black < 0.9) return undefined;
    return [grey * 255, grey * 255, grey * 255, opacity];
  }
  if (space === 'color') return [shareOf(first) * 255, shareOf(second) * 255, shareOf(third) * 255, opacity];
  if (space !== 'rgb') {
    const lightness = shareOf(first) / (space.startsWith('ok') || first.unit === '%' ? 1 : 100);
    if (opacity > 0.1 && lightness > 0.02 && lightness < 0.98) return undefined;
    const grey = lightness < 0.5 ? 0 : 255;
    return [grey, grey, grey, opacity];
  }
  const channel = ({ amount, unit }: Quantity): number => (unit === '%' ? amount * 2.55 : amount);
  return [channel(first), channel(second), channel(third), opacity];
}

/** Returns whether text of one colour is practically invisible on another. */
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
