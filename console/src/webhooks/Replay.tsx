import { useState } from 'react';
import { client } from '../api.js';
import { Dialog } from '../parts/Dialog.js';
import { Fault } from '../parts/Fault.js';
import { announce } from '../parts/notice.js';
import { useAction } from './use-action.js';
import { t } from '../texts/texts.js';
import controls from '../parts/controls.module.css';
import styles from './Webhooks.module.css';

interface ReplayProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Sends a range of events again. */
export function Replay({ id, onClose }: ReplayProps) {
  const [after, setAfter] = useState('');
  const [until, setUntil] = useState('');
  const { run, isRunning, fault } = useAction();
  const send = () =>
    run(`replay ${after} ${until}`, async (options) => {
      const range = { after: after.trim() || null, until: until.trim() || null };
      const { deliveries: count } = await client.webhooks.replay(id, range, options);
      announce(t.webhooks.replayed(count));
      onClose();
    });
  const foot = (
    <>
      <Fault error={fault} />
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button type="submit" form="replay" className={controls.primary} disabled={isRunning}>
        {t.webhooks.replay}
      </button>
    </>
  );
  return (
    <Dialog title={t.webhooks.replayTitle} isSmall onClose={onClose} foot={foot}>
      <form
        id="replay"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p>{t.webhooks.replayText}</p>
        <label className={controls.field}>
          <span className={controls.label}>{t.webhooks.after}</span>
          <input value={after} onChange={({ target }) => setAfter(target.value)} />
        </label>
        <label className={controls.field}>
          <span className={controls.label}>{t.webhooks.until}</span>
          <input value={until} onChange={({ target }) => setUntil(target.value)} />
        </label>
      </form>
    </Dialog>
  );
}
