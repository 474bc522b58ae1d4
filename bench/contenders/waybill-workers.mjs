// Two processes of the service on one port (node:cluster), sharing the connections that one process has otherwise.
import cluster from 'node:cluster';
import { join } from 'node:path';

const WORKERS = 2;

cluster.setupPrimary({ exec: join(import.meta.dirname, '..', '..', 'dist', 'src', 'main.js'), silent: true });
const poolSize = String(Math.max(1, Number(process.env.POOL_SIZE) / WORKERS));
for (let worker = 0; worker < WORKERS; worker++) cluster.fork({ POOL_SIZE: poolSize });
process.once('SIGTERM', () => cluster.disconnect(() => process.exit(0)));
