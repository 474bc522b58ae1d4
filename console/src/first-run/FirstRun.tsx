import { Compass, FileUp, PackagePlus } from 'lucide-react';
import { Link } from 'wouter';
import { session } from '../session/session.js';
import { settings } from '../settings.js';
import { DemoData } from './DemoData.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import page from '../components/page.module.css';
import controls from '../components/controls.module.css';
import styles from './FirstRun.module.css';
import { Template } from './Template.js';

/** Shown while there are no shipments: the ways to get some. */
export default function FirstRun() {
  return (
    <section className={styles.first} aria-labelledby="first-run">
      <h2 id="first-run">{t.firstRun.welcome}</h2>
      {session.can('shipments:write') ? (
        <>
          <p>{t.firstRun.start}</p>
          <ul>
            <li className={page.card}>
              <PackagePlus />
              <h3>{t.firstRun.create}</h3>
              <p>{t.firstRun.createText}</p>
              <Link className={classes(controls.button, controls.primary)} href="/shipments/new">
                {t.firstRun.create}
              </Link>
            </li>
            <li className={page.card}>
              <FileUp />
              <h3>{t.firstRun.import}</h3>
              <p>{t.firstRun.importText}</p>
              <span className={controls.actions}>
                <Link className={controls.button} href="/imports">
                  {t.firstRun.import}
                </Link>
                <Template />
              </span>
            </li>
            {settings.hasEmbeddedDatabase ? (
              <li className={page.card}>
                <Compass />
                <h3>{t.firstRun.look}</h3>
                <p>{t.firstRun.lookText}</p>
                <DemoData />
              </li>
            ) : null}
          </ul>
        </>
      ) : (
        <p>{t.firstRun.forbidden}</p>
      )}
    </section>
  );
}
