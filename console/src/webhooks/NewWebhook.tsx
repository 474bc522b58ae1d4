import { isProblem, type NewWebhook as Fields, type WebhookWithSecret } from '@waybill/client';
import { client } from '../api.js';
import { Dialog } from '../components/Dialog.js';
import { Fault } from '../components/Fault.js';
import { useTyped } from '../components/use-typed.js';
import { EVENT_TYPES } from './event-types.js';
import { useAction } from '../components/use-action.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import styles from './Webhooks.module.css';

interface NewWebhookProps {
  readonly onCreated: (webhook: WebhookWithSecret) => void;
  readonly onClose: () => void;
}

interface Typed {
  readonly url: string;
  readonly description: string;
  readonly payload: 'thin' | 'full';
  readonly types: readonly string[];
}

/** Asks for the receiver and the events to send. */
export function NewWebhook({ onCreated, onClose }: NewWebhookProps) {
  const [typed, setTyped, forget] = useTyped<Typed>('webhook', {
    url: '',
    description: '',
    payload: 'thin',
    types: [],
  });
  const { url, description, payload, types } = typed;
  const { run, isRunning, fault } = useAction('webhooks');
  const create = () => {
    const fields: Fields = {
      url,
      payload,
      ...(description !== '' && { description }),
      ...(types.length > 0 && { types: types as NonNullable<Fields['types']> }),
    };
    // Another body is another request, which needs a key of its own.
    void run(JSON.stringify(fields), async (options) => {
      const created = await client.webhooks.create(fields, options);
      forget();
      onCreated(created);
    });
  };
  const isInvalid = isProblem(fault, 'VALIDATION_FAILED');
  const markOf = (pointer: string) => ({
    'aria-describedby': 'new-webhook-fault',
    'aria-invalid': (isInvalid && fault.problem.errors.some((each) => each.pointer === pointer)) || undefined,
  });
  const foot = (
    <>
      <div id="new-webhook-fault">
        <Fault error={isInvalid ? sentenceOf(fault) : fault} />
      </div>
      <button type="button" onClick={onClose}>
        {t.actions.cancel}
      </button>
      <button type="submit" form="new-webhook" className={controls.primary} disabled={url === '' || isRunning}>
        {t.webhooks.createIt}
      </button>
    </>
  );
  return (
    <Dialog title={t.webhooks.create} onClose={onClose} foot={foot}>
      <form
        id="new-webhook"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <label className={controls.field}>
          <span className={controls.label}>{t.webhooks.url}</span>
          <input
            type="url"
            required
            {...markOf('/url')}
            value={url}
            onChange={({ target }) => setTyped({ ...typed, url: target.value })}
          />
        </label>
        <label className={controls.field}>
          <span className={controls.label}>{t.fields.labels.description}</span>
          <input
            value={description}
            maxLength={2000}
            onChange={({ target }) => setTyped({ ...typed, description: target.value })}
          />
        </label>
        <label className={controls.field}>
          <span className={controls.label}>{t.webhooks.payload}</span>
          <select
            value={payload}
            onChange={({ target }) => setTyped({ ...typed, payload: target.value === 'full' ? 'full' : 'thin' })}
          >
            <option value="thin">{t.webhooks.thin}</option>
            <option value="full">{t.webhooks.fullLong}</option>
          </select>
        </label>
        <fieldset className={styles.types}>
          <legend>{t.webhooks.eventsHint}</legend>
          {EVENT_TYPES.map((type) => (
            <label key={type} className={controls.chip}>
              <input
                type="checkbox"
                checked={types.includes(type)}
                onChange={({ target }) =>
                  setTyped({
                    ...typed,
                    types: target.checked ? [...types, type] : types.filter((each) => each !== type),
                  })
                }
              />
              <span>{type}</span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}

function sentenceOf({
  problem,
}: {
  readonly problem: { readonly errors: readonly { pointer: string; message: string }[] };
}) {
  const sentences: Readonly<Record<string, (message: string) => string>> = {
    '/url': t.webhooks.urlFault,
    '/description': t.webhooks.descriptionFault,
  };
  return problem.errors
    .map(({ pointer, message }) => sentences[pointer]?.(message) ?? `${pointer} ${message}.`)
    .join(' ');
}
