import type { Request, Response } from 'express';

/**
 * A step that runs for every request before routing; throws to reject the request. All steps run in a single middleware, because
 * Express walks its route stack once per middleware.
 */
export type Preparation = (request: Request, response: Response) => void;
