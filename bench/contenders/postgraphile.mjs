// PostGraphile 5 as its documentation shows it as a library, over the same tables and triggers. It neither compares versions nor has a feed.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

// At its start it reports types and names of tables that are not measured.
console.warn = console.error = () => undefined;

const served = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public', 'contender'],
      poolConfig: { max: Number(process.env.POOL_SIZE), application_name: 'contender' },
    }),
  ],
  grafserv: { graphiql: false, watch: false },
});

const server = createServer();
await served.createServ(grafserv).addTo(server);
server.listen(Number(process.env.PORT), '127.0.0.1');
