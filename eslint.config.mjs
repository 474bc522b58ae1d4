import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Numbers and booleans look in a text as one expects; undefined, null and objects do not, and stay forbidden. */
const inTexts = { allowNumber: true, allowBoolean: true, allowNullish: false, allowAny: false, allowRegExp: false };

const typescript = {
  files: ['**/*.ts', '**/*.tsx'],
  extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  rules: {
    '@typescript-eslint/restrict-template-expressions': ['error', inTexts],
    // `(line) => logger.log(line)` is clear; a void in the middle of an expression is not.
    '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    // An underscore says that a place has to be filled and its value is not wanted.
    '@typescript-eslint/no-unused-vars': [
      'error',
      { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
    ],
    // A NestJS module is a class for the sake of its decorator.
    '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
    // Names that come from outside, such as headers and variables of the environment, may stand in brackets.
    '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
    // Fields are spread into plain rows on purpose, and texts into code points, which is how their length is counted.
    '@typescript-eslint/no-misused-spread': 'off',
    // `get<Shipment>(path)` lets the caller say what it knows of a body, which no argument could tell.
    '@typescript-eslint/no-unnecessary-type-parameters': 'off',
  },
};

const javascript = {
  files: ['**/*.mjs'],
  extends: [js.configs.recommended],
  rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true, varsIgnorePattern: '^_' }] },
  languageOptions: {
    globals: {
      AbortController: 'readonly',
      URL: 'readonly',
      URLSearchParams: 'readonly',
      Buffer: 'readonly',
      clearInterval: 'readonly',
      document: 'readonly',
      fetch: 'readonly',
      performance: 'readonly',
      process: 'readonly',
      setInterval: 'readonly',
      window: 'readonly',
    },
  },
};

const react = {
  files: ['console/src/**/*.{ts,tsx}'],
  extends: [reactHooks.configs.flat.recommended],
  // For the React Compiler, which the console is not built with.
  rules: { 'react-hooks/incompatible-library': 'off' },
};

const specs = {
  files: ['test/**/*.ts', 'tools/campaigns/**/*.ts'],
  rules: {
    // The bodies of answers are what a spec asserts: to type them first would be to believe them.
    '@typescript-eslint/no-unsafe-assignment': 'off',
    '@typescript-eslint/no-unsafe-member-access': 'off',
    '@typescript-eslint/no-unsafe-argument': 'off',
    '@typescript-eslint/no-unsafe-call': 'off',
    '@typescript-eslint/no-unsafe-return': 'off',
    '@typescript-eslint/restrict-template-expressions': ['error', { ...inTexts, allowAny: true, allowNullish: true }],
    '@typescript-eslint/restrict-plus-operands': ['error', { allowAny: true }],
    // A name of underscores says that a place in a table is not looked at.
    '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_+$', varsIgnorePattern: '^_+$' }],
    // A wrong document is made by leaving out of it what a table names.
    '@typescript-eslint/no-dynamic-delete': 'off',
    // Methods are replaced by spies and taken out of fixtures, with their `this` given back.
    '@typescript-eslint/unbound-method': 'off',
  },
};

export default defineConfig(
  {
    ignores: [
      'dist/',
      'client/dist/',
      'console/dist/',
      'client/src/api.ts',
      'packages/*/dist/',
      'coverage/',
      '.data/',
      '.prepare*',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { rules: { 'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }] } },
  javascript,
  typescript,
  react,
  specs,
);
