export const SUPERUSER = 'waybill';
export const DATABASE = 'waybill';

/** Part of the socket's file name only: no port is opened. */
export const SOCKET_NUMBER = 5432;

/** Excludes the service's environment: PGPORT or PGOPTIONS for another server must not affect this one. */
export const SERVER_ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C' };

export function serverArguments(cluster: string, socketFolder: string, extra: Record<string, string>): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_NUMBER),
    // A list in which quotes protect commas and spaces.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...extra,
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Includes port and sslmode, so that PGPORT or PGSSLMODE in the environment have no effect. */
export function connectionUrl(socketFolder: string, database: string): string {
  const host = encodeURIComponent(socketFolder);
  return `postgresql://${SUPERUSER}@localhost/${database}?host=${host}&port=${SOCKET_NUMBER}&sslmode=disable`;
}
