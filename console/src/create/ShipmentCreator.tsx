import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { DiscardButton } from '../edit/DiscardButton.js';
import { EditObstacle } from '../edit/EditObstacle.js';
import { RecordFields } from '../edit/RecordFields.js';
import { useEditSession } from '../edit/use-edit.js';
import { announce } from '../components/notice.js';
import { FormFoot } from '../components/FormFoot.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { useStore } from '../use-store.js';
import type { Creation } from './creation.js';
import { MovePicker } from './MovePicker.js';
import { NewChildren } from './NewChildren.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import editStyles from '../edit/edit.module.css';
import styles from './create.module.css';

interface ShipmentCreatorProps {
  readonly creation: Creation;
  readonly isRestored: boolean;
  /** The code of the shipment that is copied. */
  readonly copied: string | undefined;
}

/** The form of a new shipment with its agents and services. */
export function ShipmentCreator({ creation, isRestored, copied }: ShipmentCreatorProps) {
  const title = copied === undefined ? t.actions.create : t.create.copyOf(copied);
  useTitle(title);
  const form = useRef<HTMLFormElement>(null);
  const [, navigate] = useLocation();
  const { parts, created, isSaving } = useStore(creation);
  const editing = useEditSession(creation.shipment, creation.shipment.record, () => undefined);
  const { fault, isKept, isEditedElsewhere, isOpen, errors } = editing;
  const faults = parts.flatMap(({ edit }) => edit.get().fault ?? []);
  const leave = () => (history.length > 1 ? history.back() : navigate('/'));
  const save = async () => {
    // The inputs are disabled meanwhile.
    const focused = document.activeElement;
    if (!(await creation.save())) {
      const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      if (invalid != null) invalid.focus();
      else if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
      return;
    }
    announce(t.create.created(creation.get().created?.code ?? ''));
  };
  useEffect(() => creation.show(), [creation]);
  useEffect(() => form.current?.querySelector<HTMLElement>('[name="shipmentType"]')?.focus(), []);
  const isDone = created !== undefined && !isOpen && Object.keys(editing.edits).length === 0;
  const isComplete = isDone && parts.length === 0 && !isSaving;
  // Also if the form was closed during the save, and opened again.
  const leaveTo = useEffectEvent(() => navigate(`/shipments/${created?.id ?? ''}`, { replace: true }));
  useEffect(() => {
    if (isComplete) leaveTo();
  }, [isComplete]);
  return (
    <div className={classes(page.page, styles.page)}>
      <h1>{title}</h1>
      <form
        ref={form}
        className={editStyles.form}
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            void save();
          }
          if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) {
            event.preventDefault();
            if (!creation.isEmpty) announce(t.create.kept);
            leave();
          }
        }}
      >
        {isRestored && created === undefined ? <p className={page.banner}>{t.create.restored}</p> : null}
        {isEditedElsewhere ? <p className={page.banner}>{t.create.elsewhere}</p> : null}
        {isKept ? null : <p className={classes(page.banner, page.warning)}>{t.edit.cannotKeep}</p>}
        {isDone ? (
          <p className={classes(page.banner, page.warning)} role="status">
            <span>
              <Rich>{t.create.partly(<Link href={`/shipments/${created.id}`}>{created.code}</Link>)}</Rich>
            </span>
          </p>
        ) : (
          <fieldset disabled={isSaving} className={styles.shipment}>
            <legend className={text.unseen}>{t.kinds.shipment}</legend>
            {session.can('moves:read') ? (
              <MovePicker
                moveID={editing.edits['moveID']?.to ?? null}
                error={errors['moveID']}
                onChange={(moveID) => editing.change('moveID', moveID)}
              />
            ) : null}
            <RecordFields kind="shipment" record={creation.shipment.record} editing={editing} />
          </fieldset>
        )}
        <NewChildren kind="agent" creation={creation} onSave={() => void save()} />
        <NewChildren kind="service" creation={creation} onSave={() => void save()} />
        <FormFoot fault={fault ?? faults[0]} hint={creation.isEmpty || !isKept ? '' : t.create.draft}>
          <button type="button" onClick={leave}>
            {t.actions.back}
          </button>
          <DiscardButton
            editing={{
              isSaving,
              isDiscarded: creation.isEmpty && creation.hasDiscarded,
              discard: () => creation.discard(),
              bringBack: () => creation.bringBack(),
            }}
            isEmpty={creation.isEmpty}
          />
          <button type="submit" className={controls.primary} aria-disabled={isSaving}>
            {isSaving ? t.create.creating : isOpen ? t.actions.tryAgain : isDone ? t.create.rest : t.create.shipment}
          </button>
        </FormFoot>
      </form>
      <EditObstacle
        kind="shipment"
        record={creation.shipment.record}
        editing={editing}
        onDiscard={() => creation.discard()}
        onSave={() => void save()}
      />
    </div>
  );
}
