import { refuse, respondJson } from './respond.ts';

/** The body of a request: a JSON object, empty for GET. */
export type RouteBody = Readonly<Record<string, unknown>>;

/** One request of the page: a method, a path below `api/` in which `*` stands for one name, and its answer. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (parameter: string, body: RouteBody) => Response | Promise<Response>;
}

/** Creates a route that reads. */
export function get(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path, answer };
}

/** Creates a route that acts. */
export function post(path: string, answer: Route['answer']): Route {
  return { method: 'POST', path, answer };
}

/** Responds with a value, or with a refusal if the value is missing. */
export function found(value: unknown, message: string): Response {
  return value === undefined ? refuse(404, message) : respondJson(value);
}
