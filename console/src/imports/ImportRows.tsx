import { useInfiniteQuery } from '@tanstack/react-query';
import type { Import } from '@waybill/client';
import { useSearchParams } from 'wouter';
import { Fault } from '../components/Fault.js';
import { VirtualTable } from '../components/VirtualTable.js';
import { importRowsQuery, SHOWN } from './import-queries.js';
import { RowCells } from './RowCells.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './imports.module.css';

const ESTIMATED_HEIGHT = 44;

interface ImportRowsProps {
  readonly id: string;
  readonly isApplied: boolean;
  readonly counts: Pick<Import, 'rows' | 'refused' | 'unchanged'>;
}

/** The rows of a file, refused ones first. Conflicts, errors and warnings can be shown separately. */
export function ImportRows({ id, isApplied, counts: { rows, refused, unchanged } }: ImportRowsProps) {
  const [parameters, setParameters] = useSearchParams();
  const asked = SHOWN.find((each) => each === parameters.get('show')) ?? 'all';
  const kinds = SHOWN.filter((each) => {
    if (each === 'all') return true;
    return each === 'warnings' ? rows > refused + unchanged : refused > 0;
  });
  const shown = kinds.includes(asked) ? asked : 'all';
  const list = useInfiniteQuery(importRowsQuery(id, isApplied, shown));
  const { data, error, isPending, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage } = list;
  return (
    <>
      {kinds.length > 1 ? (
        <fieldset className={classes(controls.chips, styles.show)}>
          <legend>{t.imports.show}</legend>
          {kinds.map((each) => (
            <label key={each} className={controls.chip}>
              <input
                type="radio"
                name="show"
                checked={each === shown}
                onChange={() => setParameters(each === 'all' ? {} : { show: each }, { replace: true })}
              />
              <span>{t.imports.shown[each]}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <Fault error={error} />
      <VirtualTable
        label={t.imports.rows}
        className={styles.rows}
        head={t.imports.columns.map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
        rows={data?.pages.flatMap(({ items }) => items) ?? []}
        rowHeight={ESTIMATED_HEIGHT}
        isMeasured
        classOf={() => styles.row}
        keyOf={({ line }) => line}
        isPending={isPending || isPlaceholderData}
        nothing={t.imports.noRows[shown]}
        onEnd={() => {
          if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
        }}
        scroller={{ tabIndex: 0, 'aria-label': t.imports.rowsOfFile }}
      >
        {(row) => <RowCells importID={id} row={row} />}
      </VirtualTable>
    </>
  );
}
