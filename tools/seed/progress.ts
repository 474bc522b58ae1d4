const WIDTH = 30;

/** Shows the progress of a job: a bar on a terminal, a line for each tenth elsewhere. */
export class Progress {
  private tenths = 0;

  constructor(
    private readonly all: number,
    private readonly out: NodeJS.WriteStream,
  ) {}

  show(done: number): void {
    const share = done / this.all;
    if (this.out.isTTY) {
      const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH, '.');
      this.out.write(
        `\r[${bar}] ${Math.floor(share * 100)} %  ${done} of ${this.all} moves${done === this.all ? '\n' : ''}`,
      );
    } else if (Math.floor(share * 10) > this.tenths) {
      this.tenths = Math.floor(share * 10);
      this.out.write(`${this.tenths * 10} %: ${done} of ${this.all} moves\n`);
    }
  }
}
