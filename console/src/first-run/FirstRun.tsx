import { Compass, FileUp, PackagePlus } from 'lucide-react';
import { Link } from 'wouter';
import { session } from '../session/session.js';
import { settings } from '../settings.js';
import { DemoData } from './DemoData.js';
import { classes } from '../parts/classes.js';
import page from '../parts/page.module.css';
import controls from '../parts/controls.module.css';
import styles from './FirstRun.module.css';
import { Template } from './Template.js';

/** Shown while there are no shipments: the ways to get some. */
export default function FirstRun() {
  return (
    <section className={styles.first} aria-labelledby="first-run">
      <h2 id="first-run">Welcome to Waybill</h2>
      {session.can('shipments:write') ? (
        <>
          <p>There are no shipments yet. Start in one of these ways:</p>
          <ul>
            <li className={page.card}>
              <PackagePlus />
              <h3>Create a shipment</h3>
              <p>It opens a move of its own. You can add more shipments to the move later.</p>
              <Link className={classes(controls.button, controls.primary)} href="/shipments/new">
                Create a shipment
              </Link>
            </li>
            <li className={page.card}>
              <FileUp />
              <h3>Import a file</h3>
              <p>Fill in the template with a spreadsheet, and review it before anything is saved.</p>
              <span className={controls.actions}>
                <Link className={controls.button} href="/imports">
                  Import a file
                </Link>
                <Template />
              </span>
            </li>
            {settings.hasEmbeddedDatabase ? (
              <li className={page.card}>
                <Compass />
                <h3>Look around</h3>
                <p>Load a few invented shipments. You can delete them again.</p>
                <DemoData />
              </li>
            ) : null}
          </ul>
        </>
      ) : (
        <p>There are no shipments yet. You are not allowed to create any.</p>
      )}
    </section>
  );
}
