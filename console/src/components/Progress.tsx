import styles from './Progress.module.css';

interface ProgressProps {
  readonly done: number;
  readonly of: number;
  readonly children: string;
}

export function Progress({ done, of: all, children }: ProgressProps) {
  return (
    <label className={styles.progress}>
      <span role="status">{children}</span>
      <progress value={done} max={all} />
    </label>
  );
}
