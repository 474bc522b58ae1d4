import type { RequestHandler } from 'express';

/** For a route whose path says everything: whatever is sent with it is not read. */
export const noBody: RequestHandler = (_, __, next) => next();
