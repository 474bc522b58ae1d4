import type { INestApplication } from '@nestjs/common';
import type { Express } from 'express';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** The routes registered in Express, such as `PATCH /v1/moves/:moveID`, including those without a controller. */
export function expressRoutesOf(app: INestApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as Express;
  return routesIn(router.stack as unknown as readonly Layer[]);
}

function routesIn(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route === undefined) return routesIn(handle.stack ?? []);
    return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`);
  });
}
