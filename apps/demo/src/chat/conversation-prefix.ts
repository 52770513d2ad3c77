/** What the session ids of conversations begin with. */
export const conversationPrefix = 'chat-';

/** Whether a session is that of a conversation. */
export function isConversation(sessionId: string): boolean {
  return sessionId.startsWith(conversationPrefix);
}
