import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onceClosed } from '../http/until-closed.js';

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_INTERVAL_MS = 1000;

/** Limits the size and the age of responses buffered for clients that do not read them. */
export class UnreadResponses {
  /** Connections with a complete but unsent response, and its size; the oldest first. */
  private readonly held = new Map<Socket, number>();
  private bytes = 0;

  /** Call when a response has ended. The operating system usually takes it at once, so this is cheap. */
  hold(response: ServerResponse): void {
    const { socket } = response;
    if (socket === null || socket.writableLength === 0) return;
    this.release(socket);
    // A socket counts the characters of a string, but memory is taken by its bytes.
    const bytes = Math.max(socket.writableLength, Number(response.getHeader('Content-Length') ?? 0));
    this.held.set(socket, bytes);
    this.bytes += bytes;
    onceClosed(response, () => this.release(socket));
    for (const oldest of this.held.keys()) {
      if (this.bytes <= MAX_BYTES || oldest === socket) return;
      this.release(oldest);
      oldest.destroy();
    }
  }

  private release(socket: Socket): void {
    this.bytes -= this.held.get(socket) ?? 0;
    this.held.delete(socket);
  }
}

/**
 * Closes connections with pending output that makes no progress for `timeoutMs`. Uses the socket timeout of Node, which counts the
 * progress of a large write as activity. Only connections with pending output get one, so ordinary requests need no timer. Node sets
 * another timeout when the response is complete.
 */
export function closeStalledConnections(server: Server, timeoutMs: number): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
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
