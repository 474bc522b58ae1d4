import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { classes } from './classes.js';
import styles from './Menu.module.css';

interface MenuProps {
  /** What the button shows. */
  readonly children: ReactNode;
  readonly disabled: boolean;
  readonly items: readonly { readonly label: string; readonly act: () => void }[];
}

/** A button that opens a menu of actions. */
export function Menu({ children, disabled, items }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) menu.current?.querySelector('button')?.focus();
  }, [isOpen]);
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = all.findIndex((each) => each === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Escape') close();
    else if (next !== undefined) all[next % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className={styles.menu}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setIsOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        disabled={disabled}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setIsAtEnd(currentTarget.getBoundingClientRect().left > innerWidth / 2);
          setIsOpen(!isOpen);
        }}
      >
        {children}
      </button>
      {isOpen ? (
        <div
          ref={menu}
          role="menu"
          tabIndex={-1}
          className={classes(styles.items, isAtEnd && styles.atEnd)}
          onKeyDown={onKeyDown}
        >
          {items.map(({ label, act }) => (
            <button
              key={label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                act();
              }}
            >
              {label}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
