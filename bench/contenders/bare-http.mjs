// node:http and pg with nothing in between: as little as a server can do and still give the same answers.
import { createServer } from 'node:http';
import { URL } from 'node:url';
import { create, list, patch, read, Refusal } from './shipments-sql.mjs';

const COLLECTION = '/v1/shipments';

async function answer(request, response) {
  const { method, url, headers } = request;
  if (url.startsWith(`${COLLECTION}/`)) {
    const id = url.slice(COLLECTION.length + 1);
    if (method === 'GET') return send(response, 200, await read(id));
    if (method === 'PATCH') return send(response, 200, await patch(id, headers['if-match'], await bodyOf(request)));
    throw new Refusal(405, 'This method is not allowed.');
  }
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (pathname !== COLLECTION) throw new Refusal(404, 'There is no such path.');
  if (method === 'POST') {
    const shipment = await create(await bodyOf(request));
    response.setHeader('Location', `${COLLECTION}/${shipment.id}`);
    return send(response, 201, shipment);
  }
  const { shipments, next } = await list(Number(searchParams.get('limit') ?? 50), searchParams.get('cursor'));
  if (next) response.setHeader('Link', `<${COLLECTION}?cursor=${next}>; rel="next"`);
  send(response, 200, shipments);
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...(body.eTag && { ETag: `"${body.eTag}"` }),
  });
  response.end(text);
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    const status = error instanceof Refusal ? error.status : 500;
    send(response, status, { status, detail: status === 500 ? 'Internal error' : error.message });
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
