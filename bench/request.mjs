// One HTTP request after the other on one connection: for what is not load.
import { Agent, request } from 'node:http';
import { once } from 'node:events';

export class Client {
  constructor(url) {
    this.url = url;
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  async send(method, path, { headers = {}, body } = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const sent = request(`${this.url}${path}`, {
      method,
      agent: this.agent,
      headers: {
        ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        ...headers,
      },
    });
    sent.end(text);
    const [response] = await once(sent, 'response');
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    const answer = Buffer.concat(chunks).toString();
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${answer.slice(0, 500)}`);
    return { headers: response.headers, text: answer };
  }

  get(path) {
    return this.send('GET', path);
  }

  close() {
    this.agent.destroy();
  }
}
