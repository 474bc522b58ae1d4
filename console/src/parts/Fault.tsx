import { explain } from './faults.js';

/** Shows an error, also to screen readers. Renders nothing without one. */
export function Fault({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <p className="fault" role="alert">
      {explain(error)}
    </p>
  );
}
