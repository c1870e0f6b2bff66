/** What a symmetry does to states: a literal `cell = code` of a state is another one in its image. */
export interface LiteralImage {
    /** `cells[cell]` is where the symmetry moves the cell. */
    readonly cells: Int32Array;
    /** The code in that cell; undefined where no reachable state holds `code` in `cell`. */
    readonly codeOf: (cell: number, code: number) => number | undefined;
}
