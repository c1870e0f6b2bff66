/** The image of a state under a symmetry, literal by literal. */
export interface LiteralImage {
    /** `cells[cell]` is where the symmetry moves the cell. */
    readonly cells: Int32Array;
    /** The code in that cell; undefined if no reachable state holds `code` in `cell`. */
    readonly codeOf: (cell: number, code: number) => number | undefined;
}
