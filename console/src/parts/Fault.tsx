import { explain } from './faults.js';

/** What went wrong, to eyes and to screen readers; nothing while all is well. */
export function Fault({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <p className="fault" role="alert">
      {explain(error)}
    </p>
  );
}
