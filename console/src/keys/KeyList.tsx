import { useInfiniteQuery } from '@tanstack/react-query';
import type { KeyShownOnce } from '@waybill/client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Fault } from '../components/Fault.js';
import { Loading } from '../components/Loading.js';
import { Ago, Moment } from '../components/Moment.js';
import { announce } from '../components/notice.js';
import { Secret } from '../components/Secret.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { keysQuery } from './key-queries.js';
import { CreatorLacks, KeyState } from './KeyState.js';
import { NewKey } from './NewKey.js';
import { Rich } from '../texts/Rich.js';
import { t } from '../texts/texts.js';
import controls from '../components/controls.module.css';
import page from '../components/page.module.css';
import text from '../components/text.module.css';
import styles from './Keys.module.css';

/** All API keys. */
export default function KeyList() {
  useTitle(t.shell.keys);
  const [, navigate] = useLocation();
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(keysQuery());
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const keys = data?.pages.flatMap(({ items }) => items) ?? [];
  const show = ({ id, key }: KeyShownOnce) => {
    setIsAsking(false);
    if (key !== null) {
      setSecret(key);
      return;
    }
    // The response that had it was lost.
    announce(t.keys.textLost);
    navigate(`/keys/${id}`);
  };
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>{t.shell.keys}</h1>
        <div className={controls.actions}>
          {session.can('keys:write') ? (
            <button type="button" className={controls.primary} onClick={() => setIsAsking(true)}>
              <Plus />
              {t.keys.create}
            </button>
          ) : null}
        </div>
      </header>
      <Fault error={error} onRetry={() => void refetch()} />
      {isPending ? <Loading rows={4} /> : null}
      {data !== undefined && keys.length === 0 ? <p className={text.empty}>{t.keys.empty}</p> : null}
      <ul className={styles.list}>
        {keys.map((key) => (
          <li key={key.id} className={styles.row}>
            <KeyState state={key.state} />
            <Link href={`/keys/${key.id}`} className={styles.name} dir="auto">
              {key.name}
            </Link>
            <span className={styles.name}>{key.scopes.join(', ')}</span>
            <span className={text.hint}>
              <Rich>{t.keys.createdBy(key.createdBy)}</Rich> ·{' '}
              <Rich>{t.keys.expires(<Moment at={key.expiresAt} />)}</Rich> ·{' '}
              {key.lastUsedAt === null ? t.keys.notUsed : <Rich>{t.keys.used(<Ago at={key.lastUsedAt} />)}</Rich>}
            </span>
            <CreatorLacks record={key} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <button type="button" onClick={() => void fetchNextPage()}>
          {t.actions.more}
        </button>
      ) : null}
      {isAsking ? <NewKey onClose={() => setIsAsking(false)} onCreated={show} /> : null}
      {secret === undefined ? null : (
        <Secret title={t.keys.secret} text={t.keys.secretText} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </div>
  );
}
