import { runPart } from './run-part.js';

runPart(0);
