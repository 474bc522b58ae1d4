import type { Request, Response } from 'express';

/**
 * What is done for each request before its route is looked for; throws to refuse it. All of them are one step for Express,
 * whose own middleware costs a search through its routes for each.
 */
export type Preparation = (request: Request, response: Response) => void;
