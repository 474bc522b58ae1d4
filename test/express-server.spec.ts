import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createExpressServer } from '../src/http/express-server.js';

test('requests and responses have the prototypes that Express would give them, at every server of an application', async () => {
  const app = express().use((_, response) => response.end());
  const servers = [createExpressServer(app), createExpressServer(app)];
  for (const server of servers) {
    const born = prototypesAt(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    server.close();
    const [request, response] = await born;
    expect(request).toBe(app.request);
    expect(response).toBe(app.response);
  }
});

/** Those of the first request and response of a server, before Express sees them. */
function prototypesAt(server: Server): Promise<object[]> {
  return new Promise((resolve) => {
    server.prependOnceListener('request', (...pair: [IncomingMessage, ServerResponse]) => {
      resolve(pair.map((object) => Object.getPrototypeOf(object) as object));
    });
  });
}
