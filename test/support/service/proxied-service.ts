import { PostgresProxy } from '../database/postgres-proxy.js';
import { urlOf } from '../database/test-database.js';
import { startService, type TestService } from './service.js';

/** A service that reaches its database through a proxy. Each test begins without a plan for faults. */
export function useProxiedService(environment: Record<string, string> = {}) {
  const proxy = new PostgresProxy();
  const service = {} as TestService;
  beforeAll(async () => {
    await proxy.start(urlOf('waybill'));
    Object.assign(service, await startService(environment, (url) => proxy.urlOf(url)));
  });
  afterEach(() => {
    proxy.plan = () => undefined;
  });
  afterAll(async () => {
    await service.stop();
    await proxy.stop();
  });
  return { proxy, service };
}
