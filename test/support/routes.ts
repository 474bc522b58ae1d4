import { RequestMethod, type INestApplication } from '@nestjs/common';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import type { Express } from 'express';

/** A controller's method and the request it answers, such as `PATCH /v1/moves/:moveID`. */
export interface Handler {
  readonly route: string;
  readonly controller: object;
  readonly method: object;
}

/** The routes as NestJS knows them: every decorated method of every controller, under the path of its module. */
export function handlersOf(app: INestApplication): Handler[] {
  const modules = app.get(ModulesContainer);
  return [...modules.values()].flatMap((module) => {
    const mountedAt = metadata(MODULE_PATH + modules.applicationId, module.metatype) as string | undefined;
    const controllers = [...module.controllers.values()].map(({ metatype }) => metatype as new () => object);
    return controllers.flatMap((controller) => handlersIn(controller, mountedAt ?? ''));
  });
}

function handlersIn(controller: new () => object, mountedAt: string): Handler[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const method = prototype[name];
    const verb = method && metadata(METHOD_METADATA, method);
    if (method === undefined || typeof verb !== 'number') return [];
    return pathsOf(controller).flatMap((base) =>
      pathsOf(method).map((own) => {
        return { route: `${RequestMethod[verb] ?? '?'} ${join(mountedAt, base, own)}`, controller, method };
      }),
    );
  });
}

function pathsOf(target: object): string[] {
  return [metadata(PATH_METADATA, target) ?? ''].flat() as string[];
}

function join(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

function metadata(key: string, target: object): unknown {
  return Reflect.getMetadata(key, target);
}

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Record<string, boolean> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** The routes as Express really serves them, also those that no controller made. */
export function expressRoutesOf(app: INestApplication): string[] {
  const { router } = app.getHttpAdapter().getInstance() as Express;
  return routesIn(router.stack as unknown as readonly Layer[]);
}

function routesIn(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route === undefined) return routesIn(handle.stack ?? []);
    const methods = Object.keys(route.methods).map((method) => (method === '_all' ? 'ALL' : method.toUpperCase()));
    return methods.map((method) => `${method} ${route.path}`);
  });
}
