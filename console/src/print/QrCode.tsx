import { generate } from 'lean-qr';
import { t } from '../texts/texts.js';

/** The empty border that scanners need, in modules. */
const QUIET = 4;

/** A text as a QR code. */
export function QrCode({ text, className }: { readonly text: string; readonly className: string | undefined }) {
  const code = generate(text);
  const modules = Array.from({ length: code.size ** 2 }, (_, index) => [
    index % code.size,
    Math.floor(index / code.size),
  ]);
  const path = modules.map(([x = 0, y = 0]) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : '')).join('');
  const side = code.size + 2 * QUIET;
  return (
    <svg
      className={className}
      role="img"
      aria-label={t.print.code(text)}
      viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
