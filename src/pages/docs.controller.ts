import { join } from 'node:path';
import { Controller, Get, Inject, Next, Req, Res } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Public } from '../auth/access.js';
import { CONFIG, type Config } from '../config/config.js';
import { projectFolder } from '../config/project-folder.js';
import { Produces } from '../http/accept.guard.js';
import type { Reply } from '../http/reply.js';
import { Undocumented } from '../openapi/operation.js';
import { filesAt } from './files.js';
import { html, pageReply, upToRoot } from './page.js';

/** The interactive API documentation. */
@Controller('docs')
@Undocumented()
export class DocsController {
  private readonly policy: string;
  private readonly files = filesAt(
    '/docs/assets',
    join(projectFolder(), 'public'),
    join(projectFolder(), 'dist', 'swagger-ui'),
  );

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
  asset(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    this.files(request, response, next);
  }
}
