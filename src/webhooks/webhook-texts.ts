export const CREATE_TEXT =
  'Sends the events that follow, from now on. `secret` verifies their signatures; only this response shows it. A webhook receives only what its creator may read: `types` requires the scopes to read the records that it names.';

export const UPDATE_TEXT =
  'Requires the scopes to read everything that the webhook sends. Setting `enabled` to true resumes deliveries where they stopped.';

export const ROTATE_TEXT = 'The previous secret keeps signing for 24 hours, beside the new one.';
