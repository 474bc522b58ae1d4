import { Controller, Get, Inject, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { API_VERSION } from '../openapi/document.js';
import { Operation, Tag, type NamedSchema } from '../openapi/operation.js';
import { html, pageReply, upToRoot, wantsPage } from './page.js';

const ABOUT = 'Moves and shipments over HTTP, with updates that never overwrite each other.';

const LINK = { type: 'string', format: 'uri-reference' } as const;

const WELCOME: NamedSchema = {
  name: 'Welcome',
  schema: () => ({
    type: 'object',
    description: 'The service and its entry points.',
    required: ['name', 'description', 'version', 'links'],
    properties: {
      name: { type: 'string', description: 'Name of the service.' },
      description: { type: 'string', description: 'Purpose of the service.' },
      version: { type: 'string', description: 'API version.' },
      links: {
        type: 'object',
        description: 'Entry points.',
        required: ['moves', 'shipments', 'documentation', 'document', 'problems'],
        properties: {
          moves: { ...LINK, description: 'The moves.' },
          shipments: { ...LINK, description: 'The shipments.' },
          documentation: { ...LINK, description: 'Interactive documentation.' },
          document: { ...LINK, description: 'OpenAPI document.' },
          problems: { ...LINK, description: 'Explanations of all errors.' },
        },
      },
    },
  }),
};

@Controller()
@Tag('About')
export class WelcomeController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get()
  @Public()
  @Produces('application/json', 'text/html')
  @Operation('readWelcome', 'Read the entry points of the service', {
    other: WELCOME,
    html: true,
    description: 'HTML for browsers, JSON for other clients.',
  })
  welcome(@Req() request: Request): Reply | object {
    return wantsPage(request) ? welcomePage(request, this.config) : this.data();
  }

  private data(): object {
    const link = (path: string) => (this.config.PUBLIC_URL ?? '') + path;
    return {
      name: 'Waybill',
      description: ABOUT,
      version: API_VERSION,
      links: {
        moves: link('/v1/moves'),
        shipments: link('/v1/shipments'),
        documentation: link('/docs'),
        document: link('/openapi.json'),
        problems: link('/problems'),
      },
    };
  }
}

function welcomePage(request: Request, { MANAGEMENT_PORT, TRUSTED_PROXIES }: Config): Reply {
  // Health is not reachable from this page if it has a separate port or a proxy hides it.
  const showsHealth = MANAGEMENT_PORT === undefined && TRUSTED_PROXIES === undefined;
  const root = upToRoot(request.path);
  const health = html`<li>
    <a href="${root}health/ready"><strong>Health</strong><span>Whether the service is ready for requests.</span></a>
  </li>`;
  const body = html`<main>
    <h1>Waybill</h1>
    <p class="lead">${ABOUT}</p>
    <ul class="cards">
      <li>
        <a href="${root}console"
          ><strong>Console</strong><span>The board, the records and their histories, live.</span></a
        >
      </li>
      <li>
        <a href="${root}docs"><strong>Documentation</strong><span>Every operation, to read and to try.</span></a>
      </li>
      <li>
        <a href="${root}problems"><strong>Errors</strong><span>What each error means and how to recover.</span></a>
      </li>
      <li>
        <a href="${root}openapi.json"><strong>OpenAPI 3.1</strong><span>The same document, for programs.</span></a>
      </li>
      ${showsHealth ? health : ''}
    </ul>
    <h2>A first change</h2>
    <pre><code># Create a shipment; the response has its id and eTag.
curl -s ${'$'}URL/v1/shipments -H 'Content-Type: application/json' -d '{"shipmentType":"HHG"}'

# Change exactly the version that you read.
curl -s -X PATCH ${'$'}URL/v1/shipments/${'$'}ID -H "If-Match: ${'$'}ETAG" \\
  -H 'Content-Type: application/json' -d '{"deliveryDate":"2026-04-18"}'</code></pre>
    <p>API version ${API_VERSION}.</p>
  </main>`;
  return pageReply(request, { title: 'Waybill', body });
}
