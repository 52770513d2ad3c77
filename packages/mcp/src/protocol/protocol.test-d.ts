import { expectTypeOf } from 'vitest';
import type * as client from '@modelcontextprotocol/client';
import type * as server from '@modelcontextprotocol/server';
import type { AuthInfo } from './auth-info.ts';
import type { ElicitationRequest, ElicitationResult } from './elicitation.ts';
import type { JsonRpcMessage } from './message.ts';
import type { SamplingRequest, SamplingResult } from './sampling.ts';
import type { FetchLike, Transport } from './transport.ts';

// Values of the SDK's types are assignable to Haft's types, and the reverse.
expectTypeOf<client.Transport>().toExtend<Transport>();
expectTypeOf<Transport>().toExtend<client.Transport>();
expectTypeOf<server.Transport>().toExtend<Transport>();
expectTypeOf<Transport>().toExtend<server.Transport>();
expectTypeOf<client.JSONRPCMessage>().toExtend<JsonRpcMessage>();
expectTypeOf<JsonRpcMessage>().toExtend<client.JSONRPCMessage>();
expectTypeOf<client.FetchLike>().toEqualTypeOf<FetchLike>();
expectTypeOf<server.AuthInfo>().toExtend<AuthInfo>();
expectTypeOf<AuthInfo>().toExtend<server.AuthInfo>();
expectTypeOf<client.CreateMessageRequest['params']>().toExtend<SamplingRequest>();
expectTypeOf<client.CreateMessageResult>().toExtend<SamplingResult>();
expectTypeOf<client.CreateMessageResultWithTools>().toExtend<SamplingResult>();
expectTypeOf<SamplingResult>().toExtend<client.CreateMessageResultWithTools>();
expectTypeOf<client.ElicitRequest['params']>().toExtend<ElicitationRequest>();
expectTypeOf<client.ElicitResult>().toExtend<ElicitationResult>();
expectTypeOf<ElicitationResult>().toExtend<client.ElicitResult>();

// A message without the version is assignable to neither.
expectTypeOf<{ readonly method: string }>().not.toExtend<JsonRpcMessage>();
