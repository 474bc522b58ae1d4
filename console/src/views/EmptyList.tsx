import type { ShipmentQuery } from '@waybill/client';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { session } from '../session/session.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';

/** Says why the list is empty and what to do. */
export function EmptyList({ query }: { readonly query: ShipmentQuery }) {
  const { limit: _limit, sort: _sort, q, ...filters } = query;
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <>
      <p>{sentenceOf(q, hasFilters)}</p>
      <p className={controls.actions}>
        {q !== undefined || hasFilters ? (
          <Link className={controls.button} href="/list">
            {t.list.showAll}
          </Link>
        ) : null}
        {session.can('shipments:write') ? (
          <Link className={classes(controls.button, controls.primary)} href="/shipments/new">
            <Plus />
            {t.actions.create}
          </Link>
        ) : null}
      </p>
    </>
  );
}

function sentenceOf(q: string | undefined, hasFilters: boolean): string {
  if (q !== undefined) return t.list.noWords(q);
  if (hasFilters) return t.list.noMatch;
  return t.list.empty;
}
