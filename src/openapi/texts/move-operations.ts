import type { OperationText } from './operation-text.js';

export const MOVE_OPERATIONS: Readonly<Record<string, OperationText>> = {
  'MovesController.list': {
    id: 'listMoves',
    tag: 'Moves',
    summary: 'List moves',
    description: 'Newest first, a page at a time. While there is more, a `Link` header leads to the next page.',
    answers: { list: 'Move' },
  },
  'MovesController.create': {
    id: 'createMove',
    tag: 'Moves',
    summary: 'Create a move',
    description: 'All fields are optional; the service gives the move its id and its code.',
    answers: { record: 'Move' },
  },
  'MovesController.read': {
    id: 'readMove',
    tag: 'Moves',
    summary: 'Read a move',
    description: 'By its id or its moveCode. With `version`, as it was at an earlier eTag.',
    answers: { record: 'Move' },
  },
  'MovesController.history': {
    id: 'listMoveHistory',
    tag: 'History',
    summary: 'See how a move changed',
    description: 'Newest first. Stays readable after the move is deleted.',
    answers: { list: 'HistoryEntry' },
  },
  'MovesController.update': {
    id: 'updateMove',
    tag: 'Moves',
    summary: 'Change fields of a move',
    description: 'Only the fields you send change. `If-Match` must name the version you read.',
    answers: { record: 'Move' },
  },
  'MovesController.replace': {
    id: 'replaceMove',
    tag: 'Moves',
    summary: 'Replace a move',
    description: 'The body is the complete move; a field you leave out becomes null.',
    answers: { record: 'Move' },
  },
  'MovesController.remove': {
    id: 'deleteMove',
    tag: 'Moves',
    summary: 'Delete a move',
    description: 'Refused while the move has shipments. Its history stays.',
    answers: { nothing: true },
    problems: ['IN_USE'],
  },
};
