import { posix } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { controllerPathOf, mountPathOf, routeOf } from './internals/nest-metadata.js';

export interface Route {
  readonly method: string;
  /** In Express syntax: /v1/moves/:moveID */
  readonly path: string;
  readonly handler: object;
  readonly controller: object;
  /** The handler's name, for error messages. */
  readonly name: string;
}

/** Every route of the application, from NestJS's metadata. */
export function routesOf(app: INestApplicationContext): Route[] {
  return routesIn(app.get(ModulesContainer));
}

/** The same, for use inside the application. */
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
    const path = posix.join('/', mountedAt, base, route.path).replace(/(?<=.)\/$/, '');
    return [{ method: route.method, path, handler, controller, name: `${controller.name}.${name}` }];
  });
}

/** Matches the same paths as an Express pattern such as /v1/moves/:moveID, including an optional trailing slash. */
export function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/\/:\w+/g, '/[^/]+').replace(/\/\*\w+/g, '/.+')}/?$`);
}

export function patternOf(routes: readonly Route[]): (path: string) => string | undefined {
  const patterns = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    path,
    expression: expressionOf(path),
  }));
  return (path) => patterns.find(({ expression }) => expression.test(path))?.path;
}
