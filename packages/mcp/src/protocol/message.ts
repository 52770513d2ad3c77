/** Metadata of a request or notification. Keys are names with a prefix, such as `com.example/trace`. */
export interface RequestMeta {
  [key: string]: unknown;
  progressToken?: string | number | undefined;
}

/** Parameters of a request or notification. */
export interface MessageParams {
  [key: string]: unknown;
  _meta?: RequestMeta | undefined;
}

/** A JSON-RPC 2.0 request. */
export interface JsonRpcRequest {
  jsonrpc: '2.0';
  id: string | number;
  method: string;
  params?: MessageParams | undefined;
}

/** A JSON-RPC 2.0 notification: a request without an answer. */
export interface JsonRpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: MessageParams | undefined;
}

/** A JSON-RPC 2.0 answer with a result. */
export interface JsonRpcResult {
  jsonrpc: '2.0';
  id: string | number;
  result: { [key: string]: unknown; _meta?: Record<string, unknown> | undefined };
}

/** A JSON-RPC 2.0 answer with an error. The id is missing if the request could not be read. */
export interface JsonRpcError {
  jsonrpc: '2.0';
  id?: string | number | undefined;
  error: { code: number; message: string; data?: unknown };
}

/** One message of a session. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcError;
