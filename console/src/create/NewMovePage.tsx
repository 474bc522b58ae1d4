import { useLocation } from 'wouter';
import { RecordForm } from '../edit/RecordForm.js';
import type { NewRecord } from '../edit/records.js';
import { useTitle } from '../components/use-title.js';
import { session } from '../session/session.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import page from '../components/page.module.css';
import styles from './create.module.css';

const NEW_MOVE: NewRecord = { id: 'new', eTag: '' };

export default function NewMovePage() {
  useTitle(t.actions.createMove);
  const [, navigate] = useLocation();
  return (
    <div className={classes(page.page, styles.page)}>
      <h1>{t.actions.createMove}</h1>
      {session.can('moves:write') ? (
        <RecordForm
          kind="move"
          record={NEW_MOVE}
          isDeleted={false}
          saveLabel={t.create.move}
          onLeave={(id) => navigate(id === undefined ? '/moves' : `/moves/${id}`, { replace: id !== undefined })}
        />
      ) : (
        <p>{t.create.moveNotAllowed}</p>
      )}
    </div>
  );
}
