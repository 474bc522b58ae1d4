// The Express contender with what a deployment adds, each part as its README shows it: security headers, logs with request ids, metrics,
// validated bodies, a health check, and a shutdown that finishes open requests.
import { randomUUID } from 'node:crypto';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import express from 'express';
import helmet from 'helmet';
import pinoHttp from 'pino-http';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import { answerError, shipmentRoutes } from './express-routes.mjs';
import { pool, Refusal } from './shipments-sql.mjs';

const ajv = new Ajv();
addFormats.default(ajv);

const text = (maxLength) => ({ type: 'string', maxLength });
const nullable = (schema) => ({ ...schema, type: [schema.type, 'null'] });
const WEIGHT = nullable({ type: 'integer', minimum: 1, maximum: 1_000_000 });
const DATE = nullable({ type: 'string', format: 'date' });
const ADDRESS = nullable({
  type: 'object',
  additionalProperties: false,
  required: ['streetAddress1', 'city', 'state', 'postalCode'],
  properties: {
    streetAddress1: { ...text(255), minLength: 1 },
    streetAddress2: nullable(text(255)),
    streetAddress3: nullable(text(255)),
    city: { ...text(100), minLength: 1 },
    state: { ...text(64), minLength: 1 },
    postalCode: { ...text(20), minLength: 1 },
    country: nullable(text(64)),
  },
});
const PATCH = {
  type: 'object',
  additionalProperties: false,
  properties: {
    shipmentType: { ...text(64), minLength: 1 },
    pickupDate: DATE,
    deliveryDate: DATE,
    pickupAddress: ADDRESS,
    destinationAddress: ADDRESS,
    estimatedWeight: WEIGHT,
    actualWeight: WEIGHT,
    customerRemarks: nullable(text(2000)),
  },
};

function bodyCheck(schema) {
  const validate = ajv.compile(schema);
  return (request, response, next) => {
    if (validate(request.body)) next();
    else next(new Refusal(422, ajv.errorsText(validate.errors)));
  };
}

collectDefaultMetrics();
const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Duration of HTTP requests in seconds',
  labelNames: ['method', 'route', 'code'],
});

function measure(request, response, next) {
  const end = durations.startTimer();
  response.on('finish', () => {
    end({ method: request.method, route: request.route?.path ?? '', code: response.statusCode });
  });
  next();
}

function requestId(request, response) {
  const id = request.headers['x-request-id'] ?? randomUUID();
  response.setHeader('X-Request-Id', id);
  return id;
}

const app = express();
app.disable('etag');
app.use(helmet());
app.use(pinoHttp({ genReqId: requestId }));
app.use(measure);
app.get('/health', (request, response) => response.json({ status: 'ok' }));
app.get('/metrics', async (request, response) => {
  response.set('Content-Type', register.contentType).end(await register.metrics());
});
const checks = { checkNew: bodyCheck({ ...PATCH, required: ['shipmentType'] }), checkPatch: bodyCheck(PATCH) };
app.use('/v1/shipments', shipmentRoutes(checks));
app.use(answerError);

const server = app.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => pool.end()));
