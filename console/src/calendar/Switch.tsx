import styles from './Calendar.module.css';

interface SwitchProps<C extends string> {
  readonly label: string;
  readonly choices: Readonly<Record<C, string>>;
  readonly chosen: C;
  readonly onChoose: (choice: C) => void;
}

/** A choice of a few, as buttons of which one is pressed. */
export function Switch<C extends string>({ label, choices, chosen, onChoose }: SwitchProps<C>) {
  return (
    <div className={styles.switch} role="group" aria-label={label}>
      {(Object.entries(choices) as [C, string][]).map(([choice, text]) => (
        <button key={choice} type="button" aria-pressed={choice === chosen} onClick={() => onChoose(choice)}>
          {text}
        </button>
      ))}
    </div>
  );
}
