/** Prefix of the session ids of conversations. */
export const conversationPrefix = 'chat-';

/** Whether a session is a conversation. */
export function isConversation(sessionId: string): boolean {
  return sessionId.startsWith(conversationPrefix);
}
