import { Agent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { LoadAnswer, Send } from './load.js';

/** Requests on connections that are kept, as a program that calls the service all day has them. */
export function keptConnections(base: string, ca?: Buffer): { send: Send; close: () => void } {
  const isSecure = base.startsWith('https:');
  const agent = isSecure ? new SecureAgent({ keepAlive: true, ca }) : new Agent({ keepAlive: true });
  const request = isSecure ? secureRequest : plainRequest;
  const send: Send = (method, path, body, headers = {}) =>
    new Promise<LoadAnswer>((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const type =
        text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
      const outgoing = request(`${base}${path}`, { method, agent, headers: { ...type, ...headers } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.includes('json') === true;
          resolve({
            status: response.statusCode ?? 0,
            body: isJson && answer !== '' ? JSON.parse(answer) : answer,
            headers: response.headers,
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  return { send, close: () => agent.destroy() };
}
