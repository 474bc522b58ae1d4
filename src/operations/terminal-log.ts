import type { DestinationStream } from 'pino';
import type { RequestOutcome } from '../http/request-context.js';

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly context?: string;
  readonly stack?: string;
}

type RequestLine = RequestOutcome & { readonly durationMs: number };

const WARNING = 40;
const ERROR = 50;
/** A terminal would interpret them. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]/gu;

/** Formats the log for a terminal; otherwise it is JSON. */
export function terminalLog(out: { write(text: string): unknown }): DestinationStream {
  return { write: (json) => void out.write(`${readable(JSON.parse(json) as LogLine)}\n`) };
}

function readable({ level, time, ...line }: LogLine): string {
  const label = level >= ERROR ? 'ERROR ' : level >= WARNING ? 'WARNING ' : '';
  const text = line.msg === 'request' ? describeRequest(line as unknown as RequestLine) : describe(line);
  return `${new Date(time).toTimeString().slice(0, 8)} ${label}${text}`.replace(CONTROL_CHARACTERS, '?');
}

function describeRequest({ method, route, status, code, durationMs, requestID }: RequestLine): string {
  const outcome = code === undefined ? status : `${status} ${code}`;
  return `${method} ${route} ${outcome} ${durationMs.toFixed(1)} ms ${requestID}`;
}

function describe({ msg = '', context: _, stack, ...rest }: Omit<LogLine, 'level' | 'time'>): string {
  const details = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  return `${msg}${details}${stack === undefined ? '' : `\n${stack}`}`;
}
