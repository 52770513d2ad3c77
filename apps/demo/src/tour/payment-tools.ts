import { appendFileSync, existsSync, readFileSync } from 'node:fs';

import { allowAll, createDispatcher, defineTool, type AnyTool, type ToolSource } from '@haft/core';

/** The payments of the scene. The key identifies each at the bank. */
export const payments = [
  { name: 'pay', key: 'order-7', euros: 20 },
  { name: 'charge', key: 'order-8', euros: 35 },
] as const;

/** Exit code of a worker that lacks an optional package. It names the package on standard error. */
export const missingPackage = 3;

/** Lists the keys of the payments that the bank has made, in order. The bank is a file. */
export function readBank(bank: string): readonly string[] {
  return existsSync(bank) ? readFileSync(bank, 'utf8').split('\n').filter(Boolean) : [];
}

/** Creates two tools that pay. Only `charge` can ask the bank whether a payment was made. */
export function createPaymentTools(bank: string, afterPayment?: () => Promise<void>): ToolSource {
  const create = (name: string, recover?: AnyTool['recover']): AnyTool =>
    defineTool({
      name,
      description: 'Pays an amount.',
      input: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
      async execute({ euros }, { idempotencyKey }) {
        appendFileSync(bank, `${idempotencyKey}\n`);
        await afterPayment?.();
        return `paid ${String(euros)} euros`;
      },
      ...(recover === undefined ? {} : { recover }),
    }) as AnyTool;
  const isPaid: AnyTool['recover'] = (_, { key }) => (readBank(bank).includes(key) ? 'done' : 'not-done');
  return createDispatcher({ registry: [create('pay'), create('charge', isPaid)], permission: allowAll });
}
