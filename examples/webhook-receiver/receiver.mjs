// Receives webhooks:  WEBHOOK_SECRET=whsec_... PORT=8080 node examples/webhook-receiver/receiver.mjs
import { createServer } from 'node:http';
import { WebhookVerificationError, verifyWebhook } from '@waybill/client/webhooks';

/** Calls `handle` once for each event. A real receiver keeps the ids in its database, in the transaction that handles the event. */
export function receiver(secrets, handle) {
  const handled = new Set();
  return createServer(async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const event = await verifyWebhook(request.headers, Buffer.concat(chunks), secrets);
      const id = request.headers['webhook-id'];
      if (!handled.has(id)) await handle(event);
      handled.add(id);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
    }
  });
}

if (process.env.WEBHOOK_SECRET !== undefined) {
  const server = receiver(process.env.WEBHOOK_SECRET.split(','), ({ type, subject, data }) => {
    process.stdout.write(`${type} ${subject} ${data.eTag ?? ''}\n`);
  });
  server.listen(Number(process.env.PORT ?? 8080));
}
