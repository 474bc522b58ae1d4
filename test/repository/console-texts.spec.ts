import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const SOURCES = join(__dirname, '../../console/src');
/** Attributes that people see or hear. */
const SPOKEN = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label', 'closeLabel', 'saveLabel'];
/** Functions that show their first argument. */
const SHOWING = ['announce', 'useTitle'];
/** Names that no language translates. */
const NAMES = ['Waybill', 'webhook-id', 'ms'];

function sourceFiles(): ts.SourceFile[] {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  return names
    .filter((name) => !name.startsWith('texts'))
    .map((name) => {
      const path = join(SOURCES, name);
      return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    });
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(SOURCES, file.fileName)}:${line + 1}: ${node.getText().trim()}`;
}

/** The literals that a shown expression can yield, not those that it only compares or passes on. */
function literalsIn(node: ts.Node): ts.Node[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node];
  if (ts.isTemplateExpression(node)) return [node.head, ...node.templateSpans.flatMap(spanParts)];
  if (ts.isJsxExpression(node)) return node.expression === undefined ? [] : literalsIn(node.expression);
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)];
  if (!ts.isBinaryExpression(node)) return [];
  const operators = [ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken];
  const isValue = operators.includes(node.operatorToken.kind);
  const isGuard = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  return [...(isValue ? literalsIn(node.left) : []), ...(isValue || isGuard ? literalsIn(node.right) : [])];
}

function spanParts({ expression, literal }: ts.TemplateSpan): ts.Node[] {
  return [...literalsIn(expression), literal];
}

/** The literals in a node that are shown to people. */
function shownBy(node: ts.Node): ts.Node[] {
  if (ts.isJsxText(node)) return [node];
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return literalsIn(node);
  if (ts.isJsxAttribute(node) && SPOKEN.includes(node.name.getText())) {
    return node.initializer === undefined ? [] : literalsIn(node.initializer);
  }
  if (ts.isCallExpression(node) && SHOWING.includes(node.expression.getText())) {
    return node.arguments.slice(0, 1).flatMap(literalsIn);
  }
  return [];
}

function hasWords(node: ts.Node): boolean {
  const text = ts.isJsxText(node) ? node.text : node.getText().replace(/^[`'"}]|(\$\{|[`'"])$/g, '');
  const words = text.replace(/&\w+;/g, ' ').split(/[^\p{L}\p{N}-]+/u);
  return words.some((word) => /\p{L}/u.test(word) && !NAMES.includes(word));
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

test('the views contain no texts of their own: all are in the catalogue', () => {
  const found: string[] = [];
  for (const file of sourceFiles()) {
    walk(file, (node) => found.push(...shownBy(node).filter(hasWords).map(placeOf)));
  }
  expect([...new Set(found)]).toEqual([]);
});

test('no module reads a text when it is loaded: the language can change later', () => {
  const found: string[] = [];
  for (const file of sourceFiles()) {
    walk(file, (node) => {
      if (!ts.isPropertyAccessExpression(node) || node.expression.getText() !== 't') return;
      for (let around: ts.Node = node; !ts.isSourceFile(around); around = around.parent) {
        if (ts.isFunctionLike(around)) return;
      }
      found.push(placeOf(node));
    });
  }
  expect(found).toEqual([]);
});
