import { RequestMethod, type INestApplicationContext } from '@nestjs/common';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/internal';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';

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
    const mountedAt = (Reflect.getMetadata(MODULE_PATH + modules.applicationId, metatype) ??
      Reflect.getMetadata(MODULE_PATH, metatype) ??
      '') as string;
    return [...controllers.values()].flatMap(({ metatype: controller }) =>
      routesOfController(controller as Controller, mountedAt),
    );
  });
}

type Controller = (new () => object) & { prototype: Record<string, object> };

function routesOfController(controller: Controller, mountedAt: string): Route[] {
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return new MetadataScanner().getAllMethodNames(controller.prototype).flatMap((name) => {
    const handler = controller.prototype[name];
    const path = handler && (Reflect.getMetadata(PATH_METADATA, handler) as string | undefined);
    if (handler === undefined || path === undefined) return [];
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
    const shown = `${controller.name}.${name}`;
    return [{ method, path: joined(mountedAt, base, path), handler, controller, name: shown }];
  });
}

function joined(...parts: string[]): string {
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;
}

/** Finds the pattern that Express matches a path with, such as /v1/moves/:moveID; an optional trailing slash included. */
export function patternOf(routes: readonly Route[]): (path: string) => string | undefined {
  const patterns = [...new Set(routes.map(({ path }) => path))].map((path) => ({
    path,
    expression: new RegExp(`^${path.replace(/\/:\w+/g, '/[^/]+').replace(/\/\*\w+/g, '/.+')}/?$`),
  }));
  return (path) => patterns.find(({ expression }) => expression.test(path))?.path;
}
