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
  return (metadata(MODULE_PATH + applicationID, module) ?? metadata(MODULE_PATH, module) ?? '') as string;
}

export function controllerPathOf(controller: object): string {
  return metadata(PATH_METADATA, controller) as string;
}

/** The path and method of a route; undefined if the method is not a handler. */
export function routeOf(handler: object): { path: string; method: string } | undefined {
  const path = metadata(PATH_METADATA, handler) as string | undefined;
  if (path === undefined) return undefined;
  return { path, method: RequestMethod[metadata(METHOD_METADATA, handler) as RequestMethod] };
}

/** The success status set by @HttpCode. */
export function declaredStatusOf(handler: object): number | undefined {
  return metadata(HTTP_CODE_METADATA, handler) as number | undefined;
}

function metadata(key: string, target: object): unknown {
  return Reflect.getMetadata(key, target) as unknown;
}
