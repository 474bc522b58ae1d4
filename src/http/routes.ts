import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { controllerPathOf, mountPathOf, routeOf } from './internals/nest-metadata.js';

/** A route of the application and the method of a controller that handles it. */
export interface Route {
  readonly method: string;
  /** As Express writes it: /v1/moves/:moveID */
  readonly path: string;
  readonly handler: object;
  readonly controller: object;
  /** Of the handler, for error messages. */
  readonly name: string;
}

/** Every route that NestJS serves, from the metadata it serves them by. */
export function routesOf(app: INestApplicationContext): Route[] {
  return routesIn(app.get(ModulesContainer));
}

/** The same, for who is inside the application. */
export function routesIn(modules: ModulesContainer): Route[] {
  return [...modules.values()].flatMap(({ metatype, controllers }) => {
    const mountedAt = mountPathOf(metatype, modules.applicationId);
    return [...controllers.values()].flatMap(({ metatype: controller }) =>
      routesOfController(controller as Controller, mountedAt),
    );
  });
}

type Controller = (new () => object) & { prototype: Record<string, object> };

function routesOfController(controller: Controller, mountedAt: string): Route[] {
  const base = controllerPathOf(controller);
  return new MetadataScanner().getAllMethodNames(controller.prototype).flatMap((name) => {
    const handler = controller.prototype[name];
    const route = handler && routeOf(handler);
    if (handler === undefined || route === undefined) return [];
    const path = joined(mountedAt, base, route.path);
    return [{ method: route.method, path, handler, controller, name: `${controller.name}.${name}` }];
  });
}

function joined(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

/** The method of a controller that handles a route. */
export function handlerOf(routes: readonly Route[], method: string, path: string): object {
  const route = routes.find((each) => each.method === method && each.path === path);
  if (route === undefined) throw new Error(`There is no route ${method} ${path}`);
  return route.handler;
}

/** Matches the paths that Express matches with a pattern such as /v1/moves/:moveID, which may have a trailing slash. */
export function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/\/:\w+/g, '/[^/]+').replace(/\/\*\w+/g, '/.+')}/?$`);
}

/** Finds the pattern that Express matches a path with. */
export function patternOf(routes: readonly Route[]): (path: string) => string | undefined {
  const patterns = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    path,
    expression: expressionOf(path),
  }));
  return (path) => patterns.find(({ expression }) => expression.test(path))?.path;
}
