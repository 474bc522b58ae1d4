import styles from './Wordmark.module.css';

/** The name of the product. Its W is a route from one stop to another. */
export function Wordmark({ height }: { readonly height: number }) {
  return (
    <svg className={styles.wordmark} height={height} viewBox="0 0 98 32" role="img" aria-label="Waybill">
      <rect className={styles.field} width="32" height="32" rx="7" />
      <path className={styles.route} d="M6.5 10l5 12.5L16 12l4.5 10.5 5-12.5" />
      <circle className={styles.start} cx="6.5" cy="10" r="2.7" />
      <circle className={styles.end} cx="25.5" cy="10" r="2.7" />
      <g className={styles.letters}>
        <circle cx="42.5" cy="17.5" r="5.5" />
        <path d="M48 12v11M52.5 12l5.5 11M63 12l-7 16M67.5 5.5V23" />
        <circle cx="73" cy="17.5" r="5.5" />
        <path d="M83.5 12v11M83.5 6.5v0M89.5 5.5V23M95.5 5.5V23" />
      </g>
    </svg>
  );
}
