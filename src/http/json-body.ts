import express, { type Request, type RequestHandler } from 'express';
import { Problem } from '../problem/problem.js';
import { checkMediaType, type MEDIA_TYPES } from './media-types.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a JSON body of limited size into `request.body`, or refuses it with 415, 413 or 400. */
export function jsonBody(limit: number): RequestHandler {
  const readBytes = express.raw({ limit, type: () => true });
  return (request, response, next) => {
    checkMediaType(request.method as keyof typeof MEDIA_TYPES, request.headers['content-type']);
    readBytes(request, response, (error: unknown) => {
      if (error !== undefined) {
        next(error);
        return;
      }
      try {
        request.body = parseJson((request as Request<unknown, unknown, Buffer | undefined>).body);
      } catch (problem) {
        next(problem);
        return;
      }
      next();
    });
  };
}

function parseJson(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) throw malformed('The body is empty.');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(`The body is not valid JSON: ${(error as Error).message}.`);
  }
}

function malformed(detail: string): Problem {
  return new Problem('MALFORMED_JSON', detail);
}
