import { useQuery } from '@tanstack/react-query';
import type { Key } from '@waybill/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { client } from '../api.js';
import { ConfirmRemoval } from '../components/ConfirmRemoval.js';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { Ago, Moment } from '../components/Moment.js';
import { announce } from '../components/notice.js';
import { ReplaceSecret } from '../components/ReplaceSecret.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { Fact, Facts } from '../views/Facts.js';
import { ChangeKey } from './ChangeKey.js';
import { keyQuery } from './key-queries.js';
import { CreatorLacks, KeyState } from './KeyState.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import styles from './Keys.module.css';

/** An API key, and what can be done with it. */
export default function KeyPage({ id }: { readonly id: string }) {
  useTitle(t.keys.one);
  const { data: key, error, isPending, refetch } = useQuery(keyQuery(id));
  return (
    <div className={page.page}>
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={6} /> : null}
      {key === undefined ? null : (
        <>
          <header className={page.head}>
            <h1 className={styles.name} dir="auto">
              {key.name}
            </h1>
            {session.can('keys:write') ? <Actions record={key} /> : null}
          </header>
          <Facts>
            <Fact label={t.keys.state}>
              <KeyState state={key.state} />
            </Fact>
            <Fact label={t.keys.scopes}>{key.scopes.join(', ')}</Fact>
            <Fact label={t.keys.expiryShort}>
              <Moment at={key.expiresAt} />
            </Fact>
            <Fact label={t.keys.lastUse}>{key.lastUsedAt === null ? t.keys.notUsed : <Ago at={key.lastUsedAt} />}</Fact>
            <Fact label={t.keys.creator}>
              <span dir="auto">{key.createdBy}</span> <CreatorLacks record={key} />
            </Fact>
          </Facts>
        </>
      )}
    </div>
  );
}

/** A key can be given no more than its giver has, so whoever lacks one of its scopes can only revoke it. */
function Actions({ record }: { readonly record: Key }) {
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'change' | 'rotate' | 'revoke'>();
  const close = () => setDialog(undefined);
  const isOwn = record.scopes.every((scope) => session.can(scope));
  return (
    <div className={controls.actions}>
      {isOwn ? (
        <>
          <button type="button" onClick={() => setDialog('change')}>
            {t.keys.changeIt}
          </button>
          <button type="button" onClick={() => setDialog('rotate')}>
            {t.keys.rotate}
          </button>
        </>
      ) : null}
      <button type="button" onClick={() => setDialog('revoke')}>
        {t.removal.revoke.open}
      </button>
      {dialog === 'change' ? <ChangeKey record={record} onClose={close} /> : null}
      {dialog === 'rotate' ? (
        <ReplaceSecret
          list="keys"
          record={record}
          title={t.keys.replacing.title(record.name)}
          texts={t.keys}
          replace={async (options) => {
            const { key } = await client.keys.rotateKey(record.id, options);
            if (key === null) announce(t.keys.textLost);
            return key ?? undefined;
          }}
          onClose={close}
        />
      ) : null}
      {dialog === 'revoke' ? (
        <ConfirmRemoval
          verb="revoke"
          kind="key"
          record={record}
          name={record.name}
          remove={(options) => client.keys.delete(record.id, options)}
          onClose={close}
          onRemoved={() => navigate('/keys')}
        >
          <p>{t.keys.revokeText}</p>
        </ConfirmRemoval>
      ) : null}
    </div>
  );
}
