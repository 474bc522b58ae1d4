/** All scopes, in a file of their own, because a script without the service reads them. */
export const SCOPES = [
  'moves:read',
  'moves:write',
  'shipments:read',
  'shipments:write',
  'shipments:status',
  'webhooks:read',
  'webhooks:write',
  'keys:read',
  'keys:write',
] as const;
