/** The exit codes of the command line. They are part of its interface: scripts and CI decide by them. */

export const EXIT = {
    /** Everything that the model states holds. */
    holds: 0,
    /** A property is violated, or a deadlock or a fault was found. */
    violated: 1,
    /** The model or the call is wrong. */
    wrong: 2,
    /** A limit was reached before there was an answer, or the question left out what the model states. */
    undecided: 3,
    /** A defect of Orbit itself. */
    defect: 70,
    /** Ctrl+C. */
    interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** From the best to the worst. A violation counts more than a limit, since it must not be missed. */
const FROM_BEST_TO_WORST: readonly ExitCode[] = [
    EXIT.holds,
    EXIT.undecided,
    EXIT.violated,
    EXIT.wrong,
    EXIT.interrupted,
    EXIT.defect,
];

/** The code for several files: the worst of theirs. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
    return codes.reduce<ExitCode>(
        (worst, code) => (FROM_BEST_TO_WORST.indexOf(code) > FROM_BEST_TO_WORST.indexOf(worst) ? code : worst),
        EXIT.holds,
    );
}
