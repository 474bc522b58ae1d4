import { extname } from 'node:path';
import express, { Router, type RequestHandler, type Response } from 'express';
import { Problem } from '../problem/problem.js';

export function filesAt(path: string, ...folders: readonly string[]): Router {
  const serve = folders.map((folder) => express.static(folder, { maxAge: '1h', index: false, redirect: false }));
  return Router().use(path, ...serve, missing);
}

/** Serves files with content hashes in their names, both plain and compressed: `name` and `name.gz`. */
export function builtFilesAt(path: string, folder: string): Router {
  const serve = express.static(folder, {
    ...{ maxAge: '1y', immutable: true, index: false, redirect: false },
    setHeaders: (response: Response, file: string) => {
      if (file.endsWith('.gz'))
        response.type(extname(file.slice(0, -'.gz'.length))).setHeader('Content-Encoding', 'gzip');
    },
  });
  return Router().use(path, chooseEncoding, serve, missing);
}

const chooseEncoding: RequestHandler = (request, response, next) => {
  response.vary('Accept-Encoding');
  if (request.acceptsEncodings('gzip') !== false) request.url += '.gz';
  next();
};

const missing: RequestHandler = () => {
  throw new Problem('NOT_FOUND', 'The file does not exist. Reload the page.');
};
