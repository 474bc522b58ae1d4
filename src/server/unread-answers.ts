import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { onceClosed } from '../http/until-closed.js';

/** What all answers together that their clients have not read yet may take. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_INTERVAL_MS = 1000;

/** Bounds what the process keeps for clients that do not read their answers: by size, and by time. */
export class UnreadAnswers {
  /** Connections whose answer is complete and has not left the process, the longest waiting first, with what it takes. */
  private readonly held = new Map<Socket, number>();
  private bytes = 0;

  /** For an answer that was just ended. Most are taken by the operating system at once, and cost nothing here. */
  hold(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0) return;
    this.release(socket);
    // A socket counts the characters of a text, and its bytes are what takes up memory.
    const bytes = Math.max(socket.writableLength, Number(response.getHeader('Content-Length') ?? 0));
    this.held.set(socket, bytes);
    this.bytes += bytes;
    onceClosed(response, () => this.release(socket));
    for (const longest of this.held.keys()) {
      if (this.bytes <= MAX_BYTES || longest === socket) return;
      this.release(longest);
      longest.destroy();
    }
  }

  private release(socket: Socket): void {
    this.bytes -= this.held.get(socket) ?? 0;
    this.held.delete(socket);
  }
}

/**
 * Closes connections whose client does not read: those with something to send of which nothing leaves the process for so long.
 * Node's own timeout of a socket does it, which takes the progress of a large write for activity. It is set only where something
 * is left to send, by one timer for all connections, so that ordinary requests need none. Node sets another one when the answer is
 * complete.
 */
export function closeStalledConnections(server: Server, timeoutMs: number): void {
  const open = new Set<Socket>();
  // A server with TLS hands over connections that have shaken hands, and has a time limit of its own for the others.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const check = () => {
    for (const socket of open) {
      if (socket.writableLength > 0 && socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
    }
  };
  const timer = setInterval(check, Math.min(MAX_INTERVAL_MS, timeoutMs)).unref();
  server.once('close', () => clearInterval(timer));
}
