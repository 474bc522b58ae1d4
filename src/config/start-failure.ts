/** A startup failure that an operator can fix; printed without a stack trace. */
export class StartFailure extends Error {}
