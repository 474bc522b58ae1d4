// One of the servers that are compared, with a PostgreSQL cluster of its own, so that all CPU time has an owner.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { Contender } from '../contenders.mjs';
import { BenchDatabase } from '../database.mjs';
import { cpuOf } from '../processes.mjs';

const CONNECTIONS = 16;
const PATCHED = 1000;
const READ = 5000;

/** Work behind a response, such as numbering events and indexing words, is over when both are this idle for two looks. */
const LOOK_MS = 300;
const IDLE_SECONDS = 0.01;
const MAX_LOOKS = 100;

export class Side {
  static async start(definition, content, node) {
    const database = await BenchDatabase.start(content);
    let server;
    try {
      server = await Contender.start(definition, database, node);
      const side = new Side(definition, database, server);
      await side.chooseShipments();
      return side;
    } catch (error) {
      await server?.stop();
      await database.stop();
      throw error;
    }
  }

  constructor({ name, title, isService }, database, server) {
    this.name = name;
    this.title = title;
    /** Others offer only GET, lists, PATCH and POST. */
    this.isService = isService;
    this.database = database;
    this.server = server;
    this.requests = server.requests;
    this.pool = new Pool(server.url, { connections: CONNECTIONS, headersTimeout: 600_000, bodyTimeout: 600_000 });
    /** Makes each change differ from the one before. */
    this.turn = 0;
  }

  /** The same ones on all sides, at random places. */
  async chooseShipments() {
    const rows = await this.database.query(`SELECT id FROM shipments ORDER BY md5(id::text) LIMIT ${READ}`);
    this.ids = rows.map(({ id }) => id);
    this.shipments = this.ids.slice(0, PATCHED).map((id) => ({ id }));
    await this.each(this.shipments.length, (index) => this.readVersion(this.shipments[index]));
  }

  async readVersion(shipment) {
    shipment.eTag = this.requests.eTagOf(await this.send(this.requests.get(shipment.id)));
  }

  /** Works through the numbers below a count with all connections. */
  async each(count, work) {
    let next = 0;
    const run = async () => {
      while (next < count) await work(next++);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, run));
  }

  /** Resolves with the body. */
  async send(request, expected = [200, 201]) {
    const { statusCode, body } = await this.pool.request(request);
    const text = await body.text();
    if (expected.includes(statusCode) && !this.requests.isRefused(text)) return text;
    throw new Error(
      `${this.title} answered ${request.method} ${request.path} with ${statusCode}: ${text.slice(0, 500)}`,
    );
  }

  async patch(shipment) {
    shipment.eTag = this.requests.eTagOf(await this.send(this.requests.patch(shipment, this.turn++)));
  }

  /** Seconds so far. */
  cpu() {
    return { service: cpuOf(this.server.pid), postgres: this.database.cpu() };
  }

  async untilIdle() {
    let idle = 0;
    for (let looks = 0; idle < 2 && looks < MAX_LOOKS; looks++) {
      const before = this.cpu();
      await sleep(LOOK_MS);
      const after = this.cpu();
      const used = after.service - before.service + after.postgres - before.postgres;
      idle = used < IDLE_SECONDS ? idle + 1 : 0;
    }
  }

  async stop() {
    await this.pool.destroy();
    await this.server.stop();
    await this.database.stop();
  }
}
