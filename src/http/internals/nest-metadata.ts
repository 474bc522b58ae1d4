import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/internal';

/**
 * Reads the metadata of Nest's decorators.
 *
 * Relies on: the metadata keys in `@nestjs/common/internal`.
 * Buys: no speed. Access control, metrics and the API document read each route from its decorators.
 * Without it: a second, handwritten list of all routes.
 */

/** Where RouterModule mounts a module. */
export function mountPathOf(module: object, applicationID: string): string {
  return (Reflect.getMetadata(MODULE_PATH + applicationID, module) ??
    Reflect.getMetadata(MODULE_PATH, module) ??
    '') as string;
}

export function controllerPathOf(controller: object): string {
  return Reflect.getMetadata(PATH_METADATA, controller) as string;
}

/** The path and method of a route; undefined if the method is not a handler. */
export function routeOf(handler: object): { path: string; method: string } | undefined {
  const path = Reflect.getMetadata(PATH_METADATA, handler) as string | undefined;
  if (path === undefined) return undefined;
  return { path, method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod] };
}

export function declaredStatusOf(handler: object): number | undefined {
  return Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined;
}
