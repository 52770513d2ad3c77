import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/**
 * `<|channel|>commentary to=functions.weather_at <|constrain|>json<|message|>{…}<|call|>`, also with the recipient in
 * the role's header, and with the special tokens stripped.
 */
export const harmony: Envelope = namedEnvelope({
  name: 'harmony',
  tier: 1,
  openers: [
    '<|start|>assistant<|channel|>commentary to=',
    '<|start|>assistant to=',
    '<|channel|>commentary to=',
    '<|channel|>analysis to=',
    'commentary to=functions.',
    ' to=functions.',
    'to=functions.',
  ],
  call: /(?:<\|start\|>)?(?:assistant)?\s?(?:<\|channel\|>)?(?:commentary|analysis)?\s?to=(?:functions\.)?([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}(?:<\|channel\|>(?:commentary|analysis)\s{0,9})?(?:<\|constrain\|>)?\s{0,9}(?:json)?\s{0,9}(?:<\|message\|>)?\s{0,9}(?=\{)/y,
  closers: ['<|call|>', '<|end|>'],
});
