import { once } from 'node:events';
import { connect } from 'node:tls';
import { Nginx } from '../support/http/nginx.js';
import { showsOperations, spellingsOf } from '../support/http/path-spellings.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { Replica } from '../support/service/replica.js';
import { describeWith } from '../support/repository/tools.js';

const PATHS = ['/health/live', '/health/ready', '/metrics'];

describeWith(['nginx', 'openssl'], 'a service without a management port, behind deploy/nginx.conf', () => {
  let server: PostgresServer;
  let replica: Replica;
  let nginx: Nginx;

  beforeAll(async () => {
    server = await PostgresServer.start();
    replica = await Replica.start({ DATABASE_URL: server.url, LOG_LEVEL: 'warn' });
    nginx = await Nginx.start([replica.port, replica.port]);
  });
  afterAll(async () => {
    await nginx.stop();
    await replica.stop();
    await server.remove();
  });

  async function throughNginx(target: string): Promise<string> {
    const socket = connect({ port: nginx.port, host: '127.0.0.1', rejectUnauthorized: false });
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.write(rawRequest('GET', target, []));
    await once(socket, 'close');
    return Buffer.concat(received).toString();
  }

  test('no spelling of a management path is public', async () => {
    const leaks = [];
    for (const target of PATHS.flatMap(spellingsOf)) {
      const answer = await throughNginx(target);
      expect([target, answer]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 [234]/)]);
      if (showsOperations(answer)) leaks.push(target);
    }
    expect(leaks).toEqual([]);
  });

  test('the paths are there for who reaches the replica itself, and the API is there for all', async () => {
    for (const path of PATHS) {
      expect(showsOperations(await sendRaw(replica.port, rawRequest('GET', path, [])))).toBe(true);
    }
    expect(await throughNginx('/v1/moves')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
