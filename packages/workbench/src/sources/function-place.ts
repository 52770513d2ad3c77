import { Session, type Debugger, type Runtime } from 'node:inspector';
import { fileURLToPath } from 'node:url';

/** A place in a source file. */
export interface SourcePlace {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

const handle = Symbol.for('haft.workbench.function');

/**
 * Returns the file and line of a function in an object, which the engine's own inspector knows. Defining the function
 * records nothing. Returns undefined for native functions and for code without a file.
 */
export function placeOfFunction<Key extends string>(
  owner: { readonly [key in Key]: unknown },
  key: Key,
): SourcePlace | undefined {
  const session = new Session();
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  try {
    session.connect();
    post(session, 'Debugger.enable');
    const place = locate(session, owner[key]);
    const url = place && scripts.get(place.scriptId);
    if (place === undefined || url === undefined || url === '') return undefined;
    const path = url.startsWith('file:') ? fileURLToPath(url.replace(/[?#].*$/, '')) : url;
    return /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? { path, line: place.lineNumber + 1 } : undefined;
  } catch {
    // Another debugger may be attached, or the program may run without an inspector.
    return undefined;
  } finally {
    session.disconnect();
  }
}

/** Commands in the same thread are answered before `post` returns. */
function post(session: Session, method: string, parameters: object = {}): unknown {
  let answer: unknown;
  session.post(method, parameters, (error: Error | null, result?: object) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

function locate(session: Session, given: unknown): Debugger.Location | undefined {
  const holder = globalThis as Record<symbol, unknown>;
  holder[handle] = given;
  try {
    const expression = `globalThis[Symbol.for('haft.workbench.function')]`;
    let { result } = post(session, 'Runtime.evaluate', { expression }) as Runtime.EvaluateReturnType;
    // A bound function leads to its target.
    for (let depth = 0; depth < 5 && result.objectId !== undefined; depth += 1) {
      const { internalProperties = [] } = post(session, 'Runtime.getProperties', {
        objectId: result.objectId,
        ownProperties: true,
      }) as Runtime.GetPropertiesReturnType;
      const at = internalProperties.find(({ name }) => name === '[[FunctionLocation]]')?.value;
      if (at !== undefined) return at.value as Debugger.Location;
      const target = internalProperties.find(({ name }) => name === '[[TargetFunction]]')?.value;
      if (target === undefined) return undefined;
      result = target;
    }
    return undefined;
  } finally {
    delete holder[handle];
  }
}
