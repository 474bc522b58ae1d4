import { SUBSCRIBABLE } from './webhooks/subscribable.js';

/** All resources, parents before their children. Each has events, so webhooks can subscribe to all of them. */
export const ALL_RESOURCES = SUBSCRIBABLE;

export const ENTITIES = ALL_RESOURCES.map(({ entity }) => entity);
