import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { Public } from '../auth/access.js';
import type { Request } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Produces } from '../http/accept.guard.js';
import { Reply } from '../http/reply.js';
import { Problem } from '../problem/problem.js';
import { Undocumented } from '../openapi/operation.js';
import { readAsset } from './assets.js';
import { html, pageReply, upToRoot } from './page.js';

/** The document of the API, to read and to try out. */
@Controller('docs')
@Undocumented()
export class DocsController {
  private readonly policy: string;

  constructor(@Inject(CONFIG) { PUBLIC_URL }: Config) {
    const api = PUBLIC_URL === undefined ? '' : ` ${new URL(PUBLIC_URL).origin}`;
    this.policy = `; script-src 'self'; connect-src 'self'${api}`;
  }

  @Get()
  @Public()
  @Produces('text/html', 'application/json')
  page(@Req() request: Request): Reply {
    const assets = `${upToRoot(request.path)}docs/assets`;
    const head = html`<link rel="stylesheet" href="${assets}/swagger-ui.css" />
      <link rel="stylesheet" href="${assets}/docs.css" />
      <script src="${assets}/swagger-ui-bundle.js" defer></script>
      <script src="${assets}/docs.js" defer></script>`;
    const body = html`<main class="reference">
      <section id="etag" aria-live="polite" hidden></section>
      <div id="docs" data-document="${upToRoot(request.path)}openapi.json">
        <noscript
          >This page needs JavaScript. The document itself is
          <a href="${upToRoot(request.path)}openapi.json">openapi.json</a>.</noscript
        >
      </div>
    </main>`;
    return pageReply(request, { title: 'Documentation · Waybill', head, body, policy: this.policy });
  }

  @Get('assets/:name')
  @Public()
  @Produces('text/css', 'text/javascript', 'image/svg+xml')
  asset(@Param('name') name: string): Reply {
    const asset = readAsset(name);
    if (asset === undefined) throw new Problem('NOT_FOUND', 'There is no such file.');
    return new Reply(asset.text, {
      'Content-Type': asset.type,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=3600',
    });
  }
}
