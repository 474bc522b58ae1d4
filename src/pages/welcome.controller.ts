import { Controller, Get, Inject, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { CONFIG, type Config } from '../config/config.js';
import { releaseVersion } from '../config/project-folder.js';
import { Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { page, type NamedSchema } from '../openapi/response.js';
import { objectSchema } from '../validation/json-schema.js';
import { html, pageReply, upToRoot, wantsPage } from './page.js';

const ABOUT = 'Moves and shipments over HTTP, with updates that never overwrite each other.';

/** The entry points, by their name in JSON. */
const LINKS = {
  moves: { path: '/v1/moves', description: 'The moves.' },
  shipments: { path: '/v1/shipments', description: 'The shipments.' },
  documentation: { path: '/docs', description: 'Interactive documentation.' },
  document: { path: '/openapi.json', description: 'OpenAPI document.' },
  problems: { path: '/problems', description: 'Explanations of all errors.' },
};

const WELCOME: NamedSchema = {
  name: 'Welcome',
  schema: () =>
    objectSchema('The service and its entry points.', {
      name: { type: 'string', description: 'Name of the service.' },
      description: { type: 'string', description: 'Purpose of the service.' },
      version: { type: 'string', description: 'Version of the service.' },
      links: objectSchema(
        'Entry points.',
        eachLink(({ description }) => ({ type: 'string', format: 'uri-reference', description })),
      ),
    }),
};

function eachLink<Value>(value: (link: (typeof LINKS)['moves']) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(LINKS).map(([name, link]) => [name, value(link)]));
}

@Controller()
@Tag('About')
@Stability('supported')
export class WelcomeController {
  private readonly version = releaseVersion();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('readWelcome', 'Read the entry points of the service', {
    response: page(WELCOME),
    description: 'HTML for browsers, JSON for other clients.',
  })
  welcome(@Req() request: Request): Reply | object {
    if (wantsPage(request)) return welcomePage(request, this.version, this.config);
    const links = eachLink(({ path }) => (this.config.PUBLIC_URL ?? '') + path);
    return { name: 'Waybill', description: ABOUT, version: this.version, links };
  }
}

function welcomePage(request: Request, version: string, { MANAGEMENT_PORT, TRUSTED_PROXIES }: Config): Reply {
  // Health is not reachable from this page if it has a separate port or a proxy hides it.
  const showsHealth = MANAGEMENT_PORT === undefined && TRUSTED_PROXIES === undefined;
  const root = upToRoot(request.path);
  const cards = [
    ['console', 'Console', 'The board, the records and their histories, live.'],
    ['docs', 'Documentation', 'Every operation, to read and to try.'],
    ['problems', 'Errors', 'What each error means and how to recover.'],
    ['openapi.json', 'OpenAPI 3.1', 'The same document, for programs.'],
    ...(showsHealth ? [['health/ready', 'Health', 'Whether the service is ready for requests.']] : []),
  ].map(
    ([path = '', name = '', text = '']) =>
      html`<li>
        <a href="${root}${path}"><strong>${name}</strong><span>${text}</span></a>
      </li>`,
  );
  const body = html`<main>
    <h1>Waybill</h1>
    <p class="lead">${ABOUT}</p>
    <ul class="cards">
      ${cards}
    </ul>
    <h2>A first change</h2>
    <pre><code># Create a shipment; the response has its id and eTag.
curl -s ${'$'}URL/v1/shipments -H 'Content-Type: application/json' -d '{"shipmentType":"HHG"}'

# Change exactly the version that you read.
curl -s -X PATCH ${'$'}URL/v1/shipments/${'$'}ID -H "If-Match: ${'$'}ETAG" \\
  -H 'Content-Type: application/json' -d '{"deliveryDate":"2026-04-18"}'</code></pre>
    <p>Version ${version}.</p>
  </main>`;
  return pageReply(request, { title: 'Waybill', body });
}
