import { isProblem, type Versioned, type WriteOptions } from '@waybill/client';
import { useState } from 'react';
import { Confirm } from './Confirm.js';
import { Secret } from './Secret.js';
import { useAction } from './use-action.js';
import { t } from '../texts/texts.js';

interface ReplaceSecretProps {
  readonly list: 'keys' | 'webhooks';
  readonly record: Versioned;
  readonly title: string;
  readonly texts: Pick<typeof t.keys | typeof t.webhooks, 'replacing' | 'secret' | 'secretText'>;
  /** Returns the new secret; undefined if only a response that was lost has shown it. */
  readonly replace: (options: WriteOptions) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Replaces the secret of the version that the user saw, so that two people do not replace it twice. */
export function ReplaceSecret({ list, record, title, texts, replace, onClose }: ReplaceSecretProps) {
  const [{ eTag }] = useState(record);
  const [secret, setSecret] = useState<string>();
  const { run, isRunning, fault } = useAction(list);
  const confirm = () =>
    run(`rotate ${eTag}`, async (options) => {
      const replaced = await replace({ ...options, ifMatch: eTag });
      if (replaced === undefined) onClose();
      else setSecret(replaced);
    });
  if (secret !== undefined) {
    return <Secret title={texts.secret} text={texts.secretText} secret={secret} onClose={onClose} />;
  }
  const isStale = isProblem(fault, 'PRECONDITION_FAILED');
  return (
    <Confirm
      title={title}
      action={isStale ? undefined : t.secret.replace}
      cancel={isStale ? t.actions.close : t.actions.cancel}
      isRunning={isRunning}
      fault={isStale ? texts.replacing.changedMeanwhile : fault}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{texts.replacing.text}</p>
    </Confirm>
  );
}
