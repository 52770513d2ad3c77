const maxAsked = 1_000;

/** Creates a function that returns the titles of one session's messages, which it gets in order: methods, and what answers answer. */
export function createMessageTitles(): (from: 'client' | 'server', message: object) => string {
  /** Methods of the requests that wait for an answer. */
  const asked = new Map<string, string>();
  return (from, message) => {
    const { id, method } = message as { readonly id?: string | number; readonly method?: unknown };
    if (typeof method === 'string') {
      if (id !== undefined && asked.size < maxAsked) asked.set(`${from} ${String(id)}`, method);
      return method;
    }
    const key = `${from === 'client' ? 'server' : 'client'} ${String(id)}`;
    const answered = asked.get(key);
    asked.delete(key);
    return answered === undefined ? 'answer' : `answer to ${answered}`;
  };
}
