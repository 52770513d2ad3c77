import pg from 'pg';
import { describe, expect, it } from 'vitest';

import { StoreError } from '../store-error.ts';
import { isConnectionFailure, toStoreError } from './postgres-failure.ts';

/** An error as the server sends it. */
function fromServer(code: string): Error {
  const error = new pg.DatabaseError('message of the server', 0, 'error');
  return Object.assign(error, { code, severity: 'ERROR' });
}

describe('toStoreError', () => {
  it.each([
    ['53100', 'FULL'],
    ['XX001', 'CORRUPT'],
    ['57014', 'UNAVAILABLE'],
    ['25006', 'UNAVAILABLE'],
    ['42501', 'UNAVAILABLE'],
  ])('maps SQLSTATE %s to %s and keeps the message of the server', (state, code) => {
    const cause = fromServer(state);
    expect(toStoreError(cause, 'writing')).toMatchObject({
      code,
      cause,
      message: `writing: message of the server (${state})`,
    });
  });

  it('uses the error code if the error has no message', () => {
    const refused = new AggregateError([], '');
    expect(toStoreError(Object.assign(refused, { code: 'ECONNREFUSED' }), 'opening')).toMatchObject({
      code: 'UNAVAILABLE',
      message: 'opening: ECONNREFUSED',
    });
  });

  it('returns defects of this program unchanged', () => {
    for (const defect of [new TypeError('a'), new RangeError('b'), 'c', undefined, new StoreError('CLOSED', 'd')]) {
      expect(toStoreError(defect, 'writing')).toBe(defect);
    }
  });
});

describe('isConnectionFailure', () => {
  it('distinguishes failures that a retry may fix from others', () => {
    const mend = [
      new Error('Connection terminated unexpectedly'),
      ...['57P01', '57P03', '53300', '08006'].map(fromServer),
    ];
    const not = [
      ...['3D000', '28P01', '53100', '57014', '42P01'].map(fromServer),
      new TypeError('a'),
      new StoreError('FULL', 'b'),
    ];
    expect([mend.map(isConnectionFailure), not.map(isConnectionFailure)]).toEqual([
      mend.map(() => true),
      not.map(() => false),
    ]);
  });
});
