/** Why a program cannot start, in words that tell an operator what to do: printed without a stack. */
export class StartFailure extends Error {}
