import type { RequestHandler } from 'express';

/** For a route without a body: ignores any body that is sent. */
export const noBody: RequestHandler = (_, __, next) => next();
