import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../http/api.js';

export const COMPOSE_TEXT = readFileSync('docker-compose.yml', 'utf8');

export const COMPOSE: Json = parse(COMPOSE_TEXT, { merge: true });

/** The environment of a service as Compose makes it, with the content of a .env. */
export function environmentOf(service: Json, dotenv: Record<string, string> = {}): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\$\{(\w+):([-+])(.*?)\}/g, (_, name: string, sign: string, other: string) => {
      const { [name]: own = '' } = dotenv;
      return (own === '') === (sign === '-') ? other : own && sign === '-' ? own : '';
    });
  const own = Object.entries<string>(service.environment).map(([name, value]) => [name, fill(value)] as const);
  return { ...(service.env_file !== undefined && dotenv), ...Object.fromEntries(own) };
}
