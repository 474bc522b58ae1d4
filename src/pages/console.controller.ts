import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Inject, Next, Req, Res } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Public } from '../auth/access.js';
import { CONFIG, type Config } from '../config/config.js';
import { projectFolder } from '../config/project-folder.js';
import { Produces } from '../http/accept.guard.js';
import { AnyQuery } from '../http/query.guard.js';
import { Reply } from '../http/reply.js';
import { Undocumented } from '../openapi/operation.js';
import { Problem } from '../problem/problem.js';
import { settingsOf } from './console-settings.js';
import { builtFilesAt } from './files.js';
import { html, upToRoot } from './page.js';
import { SignInOrigins } from './sign-in-origins.js';

/** The console for dispatchers: built files, and a page with the configuration of this service. */
@Controller('console')
@Undocumented()
export class ConsoleController {
  private readonly settings: object;
  private readonly signInOrigins: SignInOrigins | undefined;
  private readonly folder = join(projectFolder(), 'console', 'dist');
  private readonly files = builtFilesAt('/console/assets', join(this.folder, 'assets'));

  constructor(@Inject(CONFIG) config: Config) {
    const settings = settingsOf(config);
    this.settings = settings;
    const { signIn } = settings;
    this.signInOrigins = signIn === undefined ? undefined : new SignInOrigins(signIn.issuer);
  }

  @Get()
  @Public()
  @AnyQuery()
  @Produces('text/html', 'application/json')
  start(@Req() request: Request): Promise<Reply> {
    return this.page(request);
  }

  @Get('assets/:name')
  @Public()
  @Produces('text/css', 'text/javascript')
  asset(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    this.files(request, response, next);
  }

  /** Every other path is a view, which the console resolves itself. */
  @Get('*view')
  @Public()
  @AnyQuery()
  @Produces('text/html', 'application/json')
  view(@Req() request: Request): Promise<Reply> {
    return this.page(request);
  }

  private async page(request: Request): Promise<Reply> {
    const index = await readFile(join(this.folder, 'index.html'), 'utf8').catch(() => undefined);
    if (index === undefined) {
      throw new Problem('NOT_FOUND', 'The console is not built. Run "npx vite build console".');
    }
    const root = upToRoot(request.path);
    const settings = html`content="${JSON.stringify({ root, ...this.settings })}"`;
    const assets = `${root}docs/assets`;
    const page = index
      .replace('content="{}"', () => settings.text)
      .replaceAll('"./assets/', `"${root}console/assets/`)
      .replace(
        '</title>',
        `</title><script src="${assets}/console.js"></script><link rel="icon" href="${assets}/favicon.svg" type="image/svg+xml" />`,
      );
    return new Reply(page, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf((await this.signInOrigins?.list()) ?? []),
      'Cache-Control': 'no-cache',
    });
  }
}

function policyOf(signInOrigins: readonly string[]): string {
  return [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'",
    `connect-src ${["'self'", ...signInOrigins].join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ].join('; ');
}
