import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/internal';

/**
 * What Nest's decorators say about modules, controllers and their methods.
 *
 * Relies on: the metadata keys in `@nestjs/common/internal`.
 * Buys: no speed. Access control, metrics and the document of the API know each route from its decorators.
 * Without it: a second list of all routes, written by hand.
 */

/** Where RouterModule has mounted a module. */
export function mountPathOf(module: object, applicationID: string): string {
  return (metadata(MODULE_PATH + applicationID, module) ?? metadata(MODULE_PATH, module) ?? '') as string;
}

export function controllerPathOf(controller: object): string {
  return metadata(PATH_METADATA, controller) as string;
}

/** The path and method of a route; undefined for a method of a controller that handles none. */
export function routeOf(handler: object): { path: string; method: string } | undefined {
  const path = metadata(PATH_METADATA, handler) as string | undefined;
  if (path === undefined) return undefined;
  return { path, method: RequestMethod[metadata(METHOD_METADATA, handler) as RequestMethod] };
}

/** The status that @HttpCode gives to a successful answer. */
export function declaredStatusOf(handler: object): number | undefined {
  return metadata(HTTP_CODE_METADATA, handler) as number | undefined;
}

function metadata(key: string, target: object): unknown {
  return Reflect.getMetadata(key, target) as unknown;
}
