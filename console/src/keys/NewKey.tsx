import { isProblem, type KeyShownOnce, type NewKey as Fields } from '@waybill/client';
import { client } from '../api.js';
import { endOf, scopesIn } from '../model/key-values.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { useAction } from '../components/use-action.js';
import { useTyped } from '../components/use-typed.js';
import { inYears, KeyFields } from './KeyFields.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Keys.module.css';

interface NewKeyProps {
  readonly onCreated: (key: KeyShownOnce) => void;
  readonly onClose: () => void;
}

/** Asks who will use the key, and what it may do. */
export function NewKey({ onCreated, onClose }: NewKeyProps) {
  const [typed, setTyped, forget] = useTyped('key', { name: '', scopes: '', expiry: inYears(1) });
  const { name, scopes, expiry } = typed;
  const { run, isRunning, fault } = useAction('keys');
  const create = () => {
    const fields: Fields = {
      name,
      scopes: scopesIn(scopes) as Fields['scopes'],
      expiresAt: endOf(expiry),
    };
    // Another body is another request, which needs a key of its own.
    void run(JSON.stringify(fields), async (options) => {
      const created = await client.keys.create(fields, options);
      forget();
      onCreated(created);
    });
  };
  const foot = (
    <>
      <Fault error={sentenceOf(fault)} />
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button
        type="submit"
        form="new-key"
        className={controls.primary}
        disabled={name === '' || scopes === '' || expiry === '' || isRunning}
      >
        {t.keys.createIt}
      </button>
    </>
  );
  return (
    <Dialog title={t.keys.create} onClose={onClose} foot={foot}>
      <form
        id="new-key"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <KeyFields
          {...typed}
          onName={(to) => setTyped({ ...typed, name: to })}
          onScopes={(to) => setTyped({ ...typed, scopes: to })}
          onExpiry={(to) => setTyped({ ...typed, expiry: to })}
        />
      </form>
    </Dialog>
  );
}

/** Names the field that the service refuses. */
export function sentenceOf(fault: unknown): unknown {
  if (!isProblem(fault, 'VALIDATION_FAILED')) return fault;
  const labels: Readonly<Record<string, string>> = {
    '/name': t.keys.name,
    '/scopes': t.keys.scopes,
    '/expiresAt': t.keys.expiry,
  };
  return fault.problem.errors.map(({ pointer, message }) => `${labels[pointer] ?? pointer}: ${message}.`).join(' ');
}
