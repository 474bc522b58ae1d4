import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { FIELDS, valuesOf, type Kind, type Value } from '../model/fields.js';
import { Fault } from '../components/Fault.js';
import { Moment } from '../components/Moment.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';

interface FormerVersionProps<R> {
  readonly kind: Kind;
  readonly id: string;
  /** The version to show; undefined until it is loaded. */
  readonly former: R | undefined;
  readonly error: unknown;
  readonly note?: ReactNode;
  readonly onRestore: ((values: Record<string, Value>) => void) | undefined;
  readonly children: ReactNode;
}

/** An earlier version of a record, with links to the current version and to restore it. */
export function FormerVersion<R extends { readonly updatedAt: string }>({
  kind,
  id,
  former,
  error,
  note,
  onRestore,
  children,
}: FormerVersionProps<R>) {
  const banner = useRef<HTMLDivElement>(null);
  // The link to it may be far down in the timeline.
  useEffect(() => {
    banner.current?.scrollIntoView({ block: 'center' });
  }, [former]);
  const restore = () => {
    if (former === undefined) return;
    const then = valuesOf(former);
    onRestore?.(Object.fromEntries(FIELDS[kind].map(({ name }) => [name, then[name] ?? null])));
  };
  return (
    <>
      <div ref={banner} className={page.banner}>
        <p>
          {former === undefined ? (
            t.record.earlier
          ) : (
            <>
              <Rich>{t.record.versionOf(<Moment at={former.updatedAt} />)}</Rich>
              {note}
            </>
          )}
        </p>
        <div className={controls.actions}>
          <Link className={controls.button} href={`/${kind}s/${id}`}>
            {t.record.toCurrent}
          </Link>
          {onRestore === undefined ? null : (
            <button type="button" disabled={former === undefined} onClick={restore}>
              {t.record.restoreAll}
            </button>
          )}
        </div>
      </div>
      <Fault error={error} />
      {former === undefined ? null : children}
    </>
  );
}
