import type { Catalogue } from './catalogue.ts';
import { translate } from './translate-issue.ts';
import type { Translation } from './translate-issue.ts';

const types: Readonly<Record<string, string>> = {
  string: '字符串',
  number: '数字',
  integer: '整数',
  boolean: '布尔值',
  object: '对象',
  array: '数组',
  null: 'null',
  anything: '任意值',
  nothing: '不给出任何值',
  'a value': '一个值',
  function: '函数',
  symbol: '符号',
  bigint: '大整数',
};

const counted: Readonly<Record<string, string>> = {
  character: '个字符',
  item: '个元素',
  key: '个键',
  'matching item': '个符合要求的元素',
};

const bounds: Readonly<Record<string, string>> = {
  'at least': '不小于',
  'at most': '不大于',
  'more than': '大于',
  'less than': '小于',
};

/** The phrases of `expected` and `received`, longer ones first. `say` translates nested phrases. */
const phrases: readonly Translation[] = [
  [
    /^a value nested at most (\d+) levels and cheap to check$/,
    ([levels]) => `嵌套不超过 ${levels} 层且检查代价不高的值`,
  ],
  [/^a value, since (.+) is given$/s, ([key]) => `一个值(因为给出了 ${key})`],
  [/^a key that is (.+)$/s, ([form], say) => `符合以下要求的键:${say(form)}`],
  [/^the key (.+)$/s, ([key]) => `键 ${key}`],
  [/^only the key (.+)$/s, ([key]) => `键 ${key}(没有其他键)`],
  [/^one of the keys (.+)$/s, ([keys]) => `以下键之一:${keys}`],
  [/^no keys$/, () => '不含任何键的对象'],
  [/^exactly one of (.+)$/s, ([choices], say) => `恰好一种:${say(choices)}`],
  [/^one of (.+)$/s, ([choices]) => `以下值之一:${choices}`],
  [/^text matching (.+)$/s, ([pattern]) => `匹配 ${pattern} 的文本`],
  [/^an item unlike item (\d+)$/, ([index]) => `与第 ${index} 号元素不同的元素`],
  [/^a multiple of (.+)$/, ([step]) => `${step} 的倍数`],
  [
    /^at (least|most) (\d+) (matching item|character|item|key)s?$/,
    ([side, count, unit]) => `至${side === 'least' ? '少' : '多'} ${count} ${counted[unit]}`,
  ],
  [/^(at least|at most|more than|less than) (.+)$/, ([bound, number]) => `${bounds[bound]} ${number} 的数`],
  [/^anything but (.+)$/s, ([what], say) => `${say(what)}以外的值`],
  [/^object with (.+)$/s, ([keys]) => `含键 ${keys} 的对象`],
  [/^empty (array|object)$/, ([type]) => `空${types[type]}`],
  [/^array of (\d+)$/, ([count]) => `含 ${count} 个元素的数组`],
  [/^object (\{.*)$/s, ([keys]) => `对象 ${keys}`],
  [/^array of (.+)$/s, ([item], say) => `元素为${say(item.replace(/^\((.*)\)$/s, '$1'))}的数组`],
  [/^string \(([\w-]+)\)$/, ([format]) => `字符串(${format} 格式)`],
  [/^(string|number|boolean) (.+)$/s, ([type, value]) => `${types[type]} ${value}`],
  [/^key (.+)$/s, ([key]) => `键 ${key}`],
];

/** Simplified Chinese. */
export const zh: Catalogue = {
  line({ path, expected, received, example }) {
    const line = `${path}:应为${expected},${received}。`;
    return example === undefined ? line : `${line}示例:${example}`;
  },
  expected({ code, expected }) {
    // Issues that only the library's schema reports keep the library's words.
    if (code === 'custom') return expected;
    return code === 'format' ? `${expected} 格式的字符串` : translate(expected, phrases, types, '或');
  },
  received: ({ received }) =>
    received === 'nothing' ? '但未给出' : `实际为${translate(received, phrases, types, '或')}`,
};
