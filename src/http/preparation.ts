import type { Request, Response } from 'express';

/**
 * A step that every request takes before its route is looked for; throws to refuse the request. All of them run as a single
 * middleware: Express walks its route stack once per middleware.
 */
export type Preparation = (request: Request, response: Response) => void;
