import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Send } from '../races/load.js';
import { exchange } from './plain-http.js';

/** Sends requests over persistent connections. */
export function keptConnections(base: string, ca?: Buffer): { send: Send; close: () => void } {
  const agent = base.startsWith('https:') ? new SecureAgent({ keepAlive: true, ca }) : new Agent({ keepAlive: true });
  const send: Send = async (method, path, body, headers = {}) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const answer = await exchange(base + path, { method, agent, headers: { ...type, ...headers } }, text);
    const isRead = answer.headers['content-type']?.includes('json') === true && answer.body !== '';
    return { ...answer, body: isRead ? JSON.parse(answer.body) : answer.body };
  };
  return { send, close: () => agent.destroy() };
}
