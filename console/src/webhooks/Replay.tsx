import { client } from '../api.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { announce } from '../components/notice.js';
import { useAction } from '../components/use-action.js';
import { useTyped } from '../components/use-typed.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Webhooks.module.css';

interface ReplayProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Sends a range of events again. */
export function Replay({ id, onClose }: ReplayProps) {
  const [range, setRange, forget] = useTyped(`replay ${id}`, { after: '', until: '' });
  const { after, until } = range;
  const { run, isRunning, fault } = useAction('webhooks');
  const send = () =>
    run(`replay ${after} ${until}`, async (options) => {
      const trimmed = { after: after.trim() || null, until: until.trim() || null };
      const { deliveries: count } = await client.webhooks.replay(id, trimmed, options);
      announce(t.webhooks.replayed(count));
      forget();
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
          <input value={after} onChange={({ target }) => setRange({ ...range, after: target.value })} />
        </label>
        <label className={controls.field}>
          <span className={controls.label}>{t.webhooks.until}</span>
          <input value={until} onChange={({ target }) => setRange({ ...range, until: target.value })} />
        </label>
      </form>
    </Dialog>
  );
}
