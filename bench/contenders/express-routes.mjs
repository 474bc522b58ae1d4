// The routes of both Express contenders. Each route that takes a body first runs the middleware given for it.
import express from 'express';
import { create, list, patch, read, Refusal } from './shipments-sql.mjs';

const anyBody = (request, response, next) => next();

export function shipmentRoutes({ checkNew = anyBody, checkPatch = anyBody } = {}) {
  const router = express.Router();
  router.use(express.json());

  router.get('/', async (request, response) => {
    const { shipments, next } = await list(Number(request.query.limit ?? 50), request.query.cursor);
    if (next) response.links({ next: `${request.baseUrl}?cursor=${next}` });
    response.json(shipments);
  });

  router.post('/', checkNew, async (request, response) => {
    const shipment = await create(request.body);
    response.status(201).location(`${request.baseUrl}/${shipment.id}`).set('ETag', `"${shipment.eTag}"`).json(shipment);
  });

  router.get('/:id', async (request, response) => {
    const shipment = await read(request.params.id);
    response.set('ETag', `"${shipment.eTag}"`).json(shipment);
  });

  router.patch('/:id', checkPatch, async (request, response) => {
    const shipment = await patch(request.params.id, request.get('If-Match'), request.body);
    response.set('ETag', `"${shipment.eTag}"`).json(shipment);
  });
  return router;
}

/** Express knows an error handler by its four parameters. */
export function answerError(error, request, response, next) {
  if (response.headersSent) return next(error);
  const status = error instanceof Refusal ? error.status : (error.status ?? 500);
  response.status(status).json({ status, detail: status === 500 ? 'Internal error' : error.message });
}
