export interface PgBouncer {
  readonly url: string;
  log(): string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}
export function hasPgBouncer(): boolean;
export function startPgBouncer(databaseUrl: string): Promise<PgBouncer>;
