export const SUPERUSER = 'waybill';
export const DATABASE = 'waybill';

/** Only names the socket file: no port is opened. */
export const SOCKET_NUMBER = 5432;

/** Nothing of the service's environment: a PGPORT or PGOPTIONS meant for another server must not reach this one. */
export const SERVER_ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C' };

export function serverArguments(cluster: string, socketFolder: string, extra: Record<string, string>): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_NUMBER),
    // A list, in which quotes protect commas and spaces.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...extra,
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** With number and sslmode, so that PGPORT or PGSSLMODE in the service's environment change nothing. */
export function connectionUrl(socketFolder: string, database: string): string {
  const host = encodeURIComponent(socketFolder);
  return `postgresql://${SUPERUSER}@localhost/${database}?host=${host}&port=${SOCKET_NUMBER}&sslmode=disable`;
}
