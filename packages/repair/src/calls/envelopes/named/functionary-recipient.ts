import type { Envelope } from '../../contract/envelope.ts';
import { namedEnvelope } from '../makers/named-envelope.ts';

/** `<|from|>assistant⏎<|recipient|>weather_at⏎<|content|>{…}` and `>>>weather_at⏎{…}` */
export const functionaryRecipient: Envelope = namedEnvelope({
  name: 'functionary-recipient',
  tier: 1,
  openers: ['<|from|>assistant\n<|recipient|>', '<|recipient|>', '>>>'],
  call: /(?:(?:<\|from\|>assistant\s{0,9})?<\|recipient\|>([^\s<>"'`{}()[\]|,;=]{1,128})\s{0,9}<\|content\|>|>>>([^\s<>"'`{}()[\]|,;=]{1,128})\n)\s{0,9}(?=\{)/y,
  closers: ['<|stop|>'],
});
