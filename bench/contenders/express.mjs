// Express 5 and pg, as its documentation shows it; Express's own ETag is off because the answers carry one of their own.
import express from 'express';
import { answerError, shipmentRoutes } from './express-routes.mjs';

const app = express();
app.disable('etag');
app.disable('x-powered-by');
app.use('/v1/shipments', shipmentRoutes());
app.use(answerError);
app.listen(Number(process.env.PORT), '127.0.0.1');
