// Express 5 and pg, as its documentation shows it; Express's own ETag is off because the answers carry one of their own.
import express from 'express';
import { create, list, patch, read, Refusal } from './shipments-sql.mjs';

const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.use(express.json());

app.get('/v1/shipments', async (request, response) => {
  const { shipments, next } = await list(Number(request.query.limit ?? 50), request.query.cursor);
  if (next) response.links({ next: `/v1/shipments?cursor=${next}` });
  response.json(shipments);
});

app.post('/v1/shipments', async (request, response) => {
  const shipment = await create(request.body);
  response.status(201).location(`/v1/shipments/${shipment.id}`).set('ETag', `"${shipment.eTag}"`).json(shipment);
});

app.get('/v1/shipments/:id', async (request, response) => {
  const shipment = await read(request.params.id);
  response.set('ETag', `"${shipment.eTag}"`).json(shipment);
});

app.patch('/v1/shipments/:id', async (request, response) => {
  const shipment = await patch(request.params.id, request.get('If-Match'), request.body);
  response.set('ETag', `"${shipment.eTag}"`).json(shipment);
});

// Express knows an error handler by its four parameters.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof Refusal ? error.status : (error.status ?? 500);
  response.status(status).json({ status, detail: status === 500 ? 'Internal error' : error.message });
});

app.listen(Number(process.env.PORT), '127.0.0.1');
