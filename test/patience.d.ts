/** How long a test waits: with much else to do the machine may take several times as long. */
/** What is allowed here for what may take `milliseconds` on a quiet machine. */
export declare function patient(milliseconds: number): number;
