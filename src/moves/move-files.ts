import type { FileKind } from '../files/columns.js';
import { MoveFields } from './dto/move-fields.js';
import { MOVES } from './move.entity.js';

export const MOVE_FILES: FileKind = { resource: MOVES, created: MoveFields, changed: MoveFields };
